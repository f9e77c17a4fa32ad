import { type AttributeValue, paginateScan, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import { Option } from 'commander';
import {
  isPetId,
  isPetStatus,
  type PetStatus,
  petStatuses,
} from '../../functions/inventory/item.ts';
import type { StoredItem } from '../../functions/inventory/stored-item.ts';
import { npxPetstore } from '../cli/command-line.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { print, type Terminal, tell } from '../cli/terminal.ts';
import { textTable } from '../cli/text-table.ts';
import type { Table } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand } from '../stage/stage-command.ts';
import { parseLimit } from './arguments.ts';
import { excerpt } from './check-item.ts';
import { plainItem } from './stored-items.ts';

interface ListOptions extends StageOptions {
  limit: number;
  status?: PetStatus;
}

export const listCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('list', 'show some entries as a table')
    .permissions('dynamodb:Scan')
    .examples('inventory list --local', 'inventory list --status sold --limit 500 --stage prod')
    .option('--limit <entries>', 'the most entries to show', parseLimit, 50)
    .addOption(new Option('--status <status>', 'only entries with a status').choices(petStatuses))
    .action(async (options: ListOptions) => {
      const stage = await findStage(terminal, options);
      const found = await firstItems(stage.inventory, options);
      const hasMore = found.length > options.limit;
      const items = found.slice(0, options.limit).sort(byPetId);
      print(terminal, options, { entries: items.map(plainItem), hasMore }, tableOf(items));
      if (hasMore) {
        const all = `${npxPetstore} inventory export ${stage.options}`;
        tell(terminal, `There are more entries. Show more with --limit, or all of them: ${all}`);
      }
    });

const withStatus = (status: PetStatus): Partial<ScanCommandInput> => ({
  FilterExpression: '#status = :status',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':status': { S: status } },
});

/** Returns the first items in the table's own order: more than the limit if there are more. */
const firstItems = async (
  { client, TableName }: Table,
  { limit, status }: ListOptions,
): Promise<StoredItem[]> => {
  const found: StoredItem[] = [];
  // A limit counts items before they are filtered, of which a rare status would leave few a page.
  const filter = status === undefined ? { Limit: limit + 1 } : withStatus(status);
  const scan = { TableName, ConsistentRead: true, ...filter };
  for await (const { Items = [] } of paginateScan({ client }, scan)) {
    found.push(...(Items as unknown as StoredItem[]));
    if (found.length > limit) {
      break;
    }
  }
  return found;
};

const byPetId = (one: StoredItem, other: StoredItem): number =>
  numberOf(one) < numberOf(other) ? -1 : 1;

/** The petId of an item that breaks the contract need not be an integer. */
const numberOf = ({ petId: { N } }: StoredItem): bigint | number =>
  isPetId(N) ? BigInt(N) : Number(N);

const head = ['PETID', 'QUANTITY', 'STATUS'];
const flexible = head.indexOf('STATUS');
const width = 100;

const tableOf = (items: StoredItem[]): string => {
  const rows = items.map(({ petId, quantity, status }) => [
    petId.N,
    cellOf(quantity),
    cellOf(status),
  ]);
  return textTable({ head, rows, width, flexible }).join('\n');
};

/** An item that breaks the contract may hold anything, or nothing. */
const cellOf = (attribute?: AttributeValue): string => {
  if (attribute === undefined) {
    return '-';
  }
  const { S: text, N: number } = attribute;
  if (text !== undefined) {
    return isPetStatus(text) ? text : excerpt(text);
  }
  return number ?? '?';
};
