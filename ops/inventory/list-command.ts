import { Option } from 'commander';
import { type PetStatus, petStatuses } from '../../functions/inventory/item.ts';
import { npxPetstore } from '../cli/command-line.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { print, type Terminal, tell } from '../cli/terminal.ts';
import { findStage, type StageOptions, stageCommand } from '../stage/stage-command.ts';
import { parseLimit } from './arguments.ts';
import { byPetId, tableOf } from './entries-as-table.ts';
import { listEntries } from './table/list-entries.ts';
import { printable } from './table/stored-entries.ts';

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
      const { limit, status } = options;
      const stage = await findStage(terminal, options);
      const { entries, hasMore } = await listEntries(stage.inventory, limit, status);
      const sorted = entries.toSorted(byPetId);
      print(terminal, options, { entries: sorted.map(printable), hasMore }, tableOf(sorted));
      if (hasMore) {
        const all = `${npxPetstore} inventory export ${stage.options}`;
        tell(terminal, `There are more entries. Show more with --limit, or all of them: ${all}`);
      }
    });
