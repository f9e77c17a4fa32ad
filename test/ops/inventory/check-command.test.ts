import { expect, test } from '@jest/globals';
import { csvOf, importText, inventory, tablesOfStage } from '../../support/ops/ops-stage.ts';

const stage = tablesOfStage();

/** An entry without quantity and status, and one whose petId is no int64. */
const putBroken = async () => {
  await stage.put({ petId: { N: '5' } });
  await stage.put({ petId: { N: '-1E+120' }, quantity: { N: '1' }, status: { S: 'sold' } });
};
const reasons = [
  expect.stringMatching(/^petId -1\S+: its petId is -1/),
  expect.stringMatching(/^petId 5: its quantity is missing .*; its status is missing /),
];
const hint = (petId: string): string =>
  'Repair each with import --on-conflict replace, set, set-status or a PATCH of its quantity, ' +
  `or remove it: npx --no -- petstore inventory remove ${petId} --local`;

const checked = async (): Promise<{ petId: string; reason: string }[]> =>
  JSON.parse((await inventory('check', '--json')).output).broken;

test('check counts the entries of a table without broken ones', async () => {
  await importText(csvOf(3));
  expect(await inventory('check')).toEqual({ code: 0, output: '3 checked.\n', problems: [] });
});

test('check names every broken entry, and how to repair it', async () => {
  await importText(csvOf(3));
  await putBroken();
  const { code, output, problems } = await inventory('check');
  const lines = output.trimEnd().split('\n');
  expect([lines.slice(0, -1).toSorted(), lines.at(-1)]).toEqual([reasons, '5 checked.']);
  const [first] = await checked();
  expect({ code, problems }).toEqual({
    code: 8,
    problems: ['petstore: Entries that break the contract: 2.', hint(first?.petId ?? '')],
  });
});

test('check --json lists every broken entry', async () => {
  await putBroken();
  const { code, output } = await inventory('check', '--json');
  const { checked, broken } = JSON.parse(output);
  const lines = broken.map(
    ({ petId, reason }: Record<string, string>) => `petId ${petId}: ${reason}`,
  );
  expect([code, checked, lines.toSorted()]).toEqual([8, 2, reasons]);
});

test('remove accepts the petIds that check prints', async () => {
  await putBroken();
  for (const { petId } of await checked()) {
    expect(await inventory('remove', petId, '--yes')).toMatchObject({ code: 0 });
  }
  expect(await stage.items()).toEqual([]);
});

test.each(['check', 'export'])('%s reads what was written last', async (command) => {
  const reads: unknown[] = [];
  stage.react = async ({ operation, body, forward }) => {
    reads.push([operation, body.ConsistentRead]);
    return forward();
  };
  await inventory(command);
  expect(reads).toEqual([['Scan', true]]);
});

test('check reads every page of a table', async () => {
  await importText(csvOf(10));
  stage.react = async ({ body, forward }) => {
    body.Limit = 4;
    return forward();
  };
  expect(await inventory('check')).toMatchObject({ code: 0, output: '10 checked.\n' });
});

test('check prints an exponent as remove takes it', async () => {
  // As an option, a command would read a negative number with a capital E.
  const Items = [{ petId: { N: '-1E+120' } }];
  stage.react = async () => ({ status: 200, body: { Items, Count: 1, ScannedCount: 1 } });
  const { output, problems } = await inventory('check');
  expect(output).toMatch(/^petId -1e\+120: /);
  expect(problems).toContain(hint('-1e+120'));
});
