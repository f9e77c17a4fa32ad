import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { type LocalRun, temporaryDirectory } from './local-run.ts';
import { ops } from './ops.ts';

/** Removes every entry of the run's table. */
export const emptyInventory = async ({ tables: { client, inventory: TableName } }: LocalRun): Promise<void> => {
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    await Promise.all(
      Items.map(({ petId }) => client.send(new DeleteItemCommand({ TableName, Key: { petId: petId ?? { N: '' } } }))),
    );
  }
};

let files = 0;

/** A new file with this text. */
export const fileWith = (text: string): string => {
  files += 1;
  const path = join(temporaryDirectory, `pets-${files}`);
  writeFileSync(path, text);
  return path;
};

/** The entries of the run's table in CSV, as the API lists them. */
export const inventoryCsv = async (run: LocalRun): Promise<string> => {
  const { body } = await run.send({ path: '/inventory' });
  const items = body as { petId: bigint; quantity: bigint; status: string }[];
  const rows = items
    .toSorted((a, b) => (a.petId < b.petId ? -1 : 1))
    .map(({ petId, quantity, status }) => `${petId},${quantity},${status}\n`);
  return `petId,quantity,status\n${rows.join('')}`;
};

/** What an import prints: its exit code, what it answers, and the lines on standard error that tell what is wrong. */
export const importFile = async (path: string, ...options: string[]) => {
  const { code, output, errors } = await ops(['inventory', 'import', path, '--local', ...options]);
  const problems = errors.split('\n').filter((line) => !/^(Stage: |Checked |Wrote |\d+ %|$)/.test(line));
  return { code, output, problems };
};
