import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Passing, type Reaction, throttled } from '../../support/dynamodb-proxy.ts';
import { ended } from '../../support/local-run.ts';
import { ops, spawnOps } from '../../support/ops.ts';
import { fileWith, type InventoryStage, importText, inventory, inventoryStage } from '../../support/ops-inventory.ts';

const header = 'petId,quantity,status\n';
const rows = (count: number, quantity = 1) =>
  Array.from({ length: count }, (_value, i) => `${9_007_199_254_740_993n + BigInt(i)},${quantity},sold\n`).join('');

let stage: InventoryStage;
beforeAll(async () => {
  stage = await inventoryStage();
});
beforeEach(() => stage.reset());

/** The petId that a request is to write. */
const written = ({ operation, body }: Passing): string | undefined =>
  operation === 'UpdateItem' ? body.Key.petId.N : undefined;

describe('another writer, just before a write', () => {
  const before = (petId: string, other: () => Promise<unknown>) => async (passing: Passing) => {
    if (written(passing) === petId) {
      await other();
    }
    return passing.forward();
  };
  const put = (petId: string, quantity: string) => () =>
    stage.put({ petId: { N: petId }, quantity: { N: quantity }, status: { S: 'available' } });
  const leftAlone = 'petstore: Some entries were left to others who changed them meanwhile.';

  test.each(['fail', 'replace'])('has created the entry: it is left, and named (%s)', async (onConflict) => {
    stage.react = before('2', put('2', '99'));
    expect(await importText(`${header}1,1,sold\n2,2,sold\n3,3,sold\n`, '--on-conflict', onConflict)).toEqual({
      code: 4,
      output: '3 read: 2 created, 1 left to others who changed them meanwhile.\n',
      problems: [
        'Line 3: petId 2 was changed meanwhile: {"petId":2,"quantity":99,"status":"available"}; it is left as it is.',
        leftAlone,
      ],
    });
    expect(await stage.csv()).toBe(`${header}1,1,sold\n2,99,available\n3,3,sold\n`);
  });

  test('has created the entry: it is skipped, if those that exist are', async () => {
    stage.react = before('2', put('2', '99'));
    const result = await importText(`${header}1,1,sold\n2,2,sold\n`, '--on-conflict', 'skip');
    expect(result).toEqual({ code: 0, output: '2 read: 1 created, 1 skipped.\n', problems: [] });
    expect(await stage.csv()).toBe(`${header}1,1,sold\n2,99,available\n`);
  });

  test('has changed the entry: it is never replaced', async () => {
    await importText(`${header}1,1,sold\n2,2,available\n`);
    stage.react = before('2', put('2', '1000'));
    const result = await importText(`${header}1,7,sold\n2,7,sold\n`, '--on-conflict', 'replace', '--json');
    expect({ code: result.code, figures: JSON.parse(result.output) }).toMatchObject({
      code: 4,
      figures: { read: 2, created: 0, replaced: 1, changed: 1, left: 0 },
    });
    expect(await stage.csv()).toBe(`${header}1,7,sold\n2,1000,available\n`);
  });

  test('has removed the entry: it is not brought back', async () => {
    await importText(`${header}1,1,sold\n`);
    const { client, TableName } = stage;
    stage.react = before('1', () => client.send(new DeleteItemCommand({ TableName, Key: { petId: { N: '1' } } })));
    expect(await importText(`${header}1,7,sold\n`, '--on-conflict', 'replace')).toEqual({
      code: 4,
      output: '1 read: 1 left to others who changed them meanwhile.\n',
      problems: ['Line 2: petId 1 was removed meanwhile; it is left as it is.', leftAlone],
    });
    expect(await stage.csv()).toBe(header);
  });
});

test.each([
  ['a fraction', { N: '1.5' }],
  ['too large', { N: '9007199254740993' }],
  ['a text', { S: 'many' }],
  ['a truth value', { BOOL: true }],
  ['missing', undefined],
])('replaces an entry whose quantity is %s, and keeps what else it holds', async (_what, quantity) => {
  await stage.put({ petId: { N: '1' }, ...(quantity && { quantity }), note: { S: 'x' } });
  const result = await importText(`${header}1,7,sold\n`, '--on-conflict', 'replace');
  expect(result).toEqual({ code: 0, output: '1 read: 1 replaced.\n', problems: [] });
  expect(await stage.items()).toEqual([
    { petId: { N: '1' }, quantity: { N: '7' }, status: { S: 'sold' }, note: { S: 'x' } },
  ]);
});

test('counts an entry once whose response was lost', async () => {
  let lost = 0;
  stage.react = async ({ operation, forward }) => {
    const response = await forward();
    return operation === 'UpdateItem' && lost++ < 3 ? undefined : response;
  };
  expect(await importText(header + rows(20))).toEqual({ code: 0, output: '20 read: 20 created.\n', problems: [] });
  expect(lost).toBeGreaterThan(20);
  expect(await stage.csv()).toBe(header + rows(20));
});

test('waits and tries again when it is throttled, more often than the SDK does', async () => {
  const tries = new Map<string, number>();
  stage.react = async (passing) => {
    const petId = written(passing) ?? '';
    const attempt = (tries.get(petId) ?? 0) + 1;
    tries.set(petId, attempt);
    return petId.endsWith('7') && attempt <= 5 ? throttled : passing.forward();
  };
  expect(await importText(header + rows(20))).toMatchObject({ code: 0, output: '20 read: 20 created.\n' });
  expect(await stage.csv()).toBe(header + rows(20));
});

test('asks again for keys that DynamoDB left unprocessed', async () => {
  await importText(header + rows(10));
  let requests = 0;
  stage.react = async ({ operation, body, forward }) => {
    const [table, request] = Object.entries(body.RequestItems ?? {})[0] as [string, { Keys: unknown[] }];
    if (operation !== 'BatchGetItem' || request.Keys.length < 4) {
      return forward();
    }
    requests += 1;
    const UnprocessedKeys = { [table]: { ...request, Keys: request.Keys.splice(3) } };
    const { status, body: response } = await forward();
    return { status, body: { ...response, UnprocessedKeys } };
  };
  const few = stage.react;
  stage.react = (passing) => (passing.operation === 'BatchGetItem' ? few(passing) : passing.forward());
  const result = await importText(header + rows(11));
  expect(result).toEqual({ code: 0, output: '11 read: 1 created, 10 unchanged.\n', problems: [] });
  expect(requests).toBe(3);
});

describe('an import that is cut short', () => {
  const size = 200;
  const text = header + rows(size, 2);

  test.each(['fail', 'replace'])('by an error of DynamoDB is run again (%s)', async (onConflict) => {
    if (onConflict === 'replace') {
      await importText(header + rows(size, 1));
    }
    const type = 'com.amazon.coral.service#ExpiredTokenException';
    const expired: Reaction = { status: 400, body: { __type: type, message: 'expired' } };
    let writes = 0;
    stage.react = async (passing) => (written(passing) && writes++ >= 90 ? expired : passing.forward());
    const file = fileWith(text);
    expect(await inventory('import', file, '--on-conflict', onConflict)).toEqual({
      code: 6,
      output: '',
      problems: [
        'petstore: The AWS credentials have expired.',
        'Sign in again. Run the same command again: it continues where this one stopped.',
      ],
    });
    stage.react = ({ forward }) => forward();
    const { code, output } = await inventory('import', file, '--on-conflict', onConflict, '--json');
    const { created, replaced, unchanged } = JSON.parse(output);
    const done = onConflict === 'replace' ? replaced : created;
    expect({ code, sum: done + unchanged }).toEqual({ code: 0, sum: size });
    // What was on its way when the error came may have been written after it.
    expect(unchanged).toBeGreaterThanOrEqual(90);
    expect(done).toBeGreaterThan(0);
    expect(await stage.csv()).toBe(text);
  });

  test('by Ctrl-C says how much is left, and is run again', async () => {
    const file = fileWith(text);
    const interruption = new AbortController();
    let writes = 0;
    stage.react = (passing) => {
      if (written(passing) && ++writes === 70) {
        interruption.abort();
      }
      return passing.forward();
    };
    const run = (signal?: AbortSignal) =>
      ops(['inventory', 'import', file, '--json', '--local'], signal === undefined ? {} : { signal });
    const { code, output, errors } = await run(interruption.signal);
    const { created, left, ...others } = JSON.parse(output);
    expect({ code, others }).toEqual({
      code: 130,
      others: { read: size, replaced: 0, unchanged: 0, skipped: 0, changed: 0, invalid: 0, problems: [] },
    });
    expect(created + left).toBe(size);
    expect(created).toBeGreaterThanOrEqual(70);
    expect(left).toBeGreaterThan(0);
    expect(JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '')).toEqual({
      error: {
        code: 'interrupted',
        message: 'Interrupted.',
        hint: 'Run the same command again: it continues where this one stopped.',
      },
    });
    expect(await stage.items()).toHaveLength(created);
    expect(JSON.parse((await run()).output)).toMatchObject({ read: size, unchanged: created, created: left, left: 0 });
    expect(await stage.csv()).toBe(text);
  });

  test('by Ctrl-C before it writes leaves nothing', async () => {
    const interruption = new AbortController();
    const running = ops(['inventory', 'import', '-', '--local'], { input: null, signal: interruption.signal });
    await sleep(50);
    interruption.abort();
    const { code, output, errors } = await running;
    expect({ code, output }).toEqual({ code: 130, output: '' });
    expect(errors).toMatch(/\npetstore: Interrupted\. Nothing was written\.\n$/);
    expect(await stage.items()).toEqual([]);
  });

  test('by a kill is run again, to a table equal to the file', async () => {
    const file = fileWith(text);
    const child = spawnOps(['inventory', 'import', '-', '--local'], { input: text });
    let writes = 0;
    stage.react = (passing) => {
      if (written(passing) && ++writes === 120) {
        child.kill('SIGKILL');
      }
      return passing.forward();
    };
    await once(child, 'exit');
    const partly = (await stage.items()).length;
    expect(partly).toBeGreaterThan(0);
    expect(partly).toBeLessThan(size);
    // What the child had sent may still have been written.
    const { code, output } = await ended(spawnOps(['inventory', 'import', file, '--json', '--local']));
    const { created, unchanged } = JSON.parse(output);
    expect({ code, sum: created + unchanged }).toEqual({ code: 0, sum: size });
    expect(unchanged).toBeGreaterThanOrEqual(partly);
    expect(await stage.csv()).toBe(text);
  });
});
