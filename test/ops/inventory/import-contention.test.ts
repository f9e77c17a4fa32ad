import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { type Passing, type Reaction, throttled } from '../../support/dynamodb-proxy.ts';
import { ops, spawnOps } from '../../support/ops.ts';
import { engineClient, fileWith, importText, inventoryStage } from '../../support/ops-inventory.ts';

const header = 'petId,quantity,status\n';
const rows = (count: number, quantity = 1) =>
  Array.from({ length: count }, (_value, i) => `${9_007_199_254_740_993n + BigInt(i)},${quantity},sold\n`).join('');

const stage = inventoryStage();

/** The petId that a request is to write. */
const written = ({ body: { Item, Key } }: Passing): string | undefined => (Item ?? Key)?.petId.N;

describe('someone else, just before a write,', () => {
  const put = (quantity: string) => () =>
    stage.put({ petId: { N: '2' }, quantity: { N: quantity }, status: { S: 'available' } });
  const remove = () =>
    engineClient.send(new DeleteItemCommand({ TableName: stage.TableName, Key: { petId: { N: '2' } } }));
  const left = (what: string) => ({
    code: 4,
    output: '3 read: 2 created, 1 changed by someone else and left as they are.\n',
    problems: [
      `Line 3: petId 2 has just been ${what} by someone else. It was left as it is.`,
      'petstore: Some entries were changed by someone else during the import, and were left as they are.',
    ],
  });
  const changed = left('changed to {"petId":2,"quantity":99,"status":"available"}');
  const skipped = { code: 0, output: '3 read: 2 created, 1 skipped.\n', problems: [] };

  test.each([
    ['fail', 'created', '', put('99'), changed, '2,99,available\n'],
    ['replace', 'created', '', put('99'), changed, '2,99,available\n'],
    ['skip', 'created', '', put('99'), skipped, '2,99,available\n'],
    ['replace', 'changed', '2,2,available\n', put('99'), changed, '2,99,available\n'],
    ['replace', 'changed the status of', '2,99,pending\n', put('99'), changed, '2,99,available\n'],
    ['replace', 'removed', '2,2,available\n', remove, left('removed'), ''],
  ])('--on-conflict %s: has %s the entry, which is left', async (onConflict, _what, before, other, result, after) => {
    await importText(header + before);
    stage.react = async (passing) => {
      if (written(passing) === '2') {
        await other();
      }
      return passing.forward();
    };
    expect(await importText(`${header}1,1,sold\n2,2,sold\n3,3,sold\n`, '--on-conflict', onConflict)).toEqual(result);
    expect(await stage.csv()).toBe(`${header}1,1,sold\n${after}3,3,sold\n`);
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
  stage.react = async (passing) => {
    const response = await passing.forward();
    return written(passing) && lost++ < 3 ? undefined : response;
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
  expect(await importText(header + rows(20))).toEqual({ code: 0, output: '20 read: 20 created.\n', problems: [] });
  expect(await stage.csv()).toBe(header + rows(20));
});

test('asks again for keys that DynamoDB left unprocessed', async () => {
  await importText(header + rows(10));
  const asked: number[] = [];
  stage.react = async ({ operation, body, forward }) => {
    if (operation !== 'BatchGetItem') {
      return forward();
    }
    const request = body.RequestItems[stage.TableName];
    asked.push(request.Keys.length);
    const left = { ...request, Keys: request.Keys.splice(3) };
    const { status, body: response } = await forward();
    const UnprocessedKeys = left.Keys.length > 0 ? { [stage.TableName]: left } : {};
    return { status, body: { ...response, UnprocessedKeys } };
  };
  const result = await importText(header + rows(11));
  expect(result).toEqual({ code: 0, output: '11 read: 1 created, 10 unchanged.\n', problems: [] });
  expect(asked).toEqual([11, 8, 5, 2]);
});

describe('an import that is cut short', () => {
  const size = 200;
  const text = header + rows(size, 2);
  const atOnce = 64;
  const again = 'Run the same command again: it continues where this one stopped.';
  const figures = {
    read: size,
    invalid: 0,
    created: 0,
    replaced: 0,
    unchanged: 0,
    skipped: 0,
    changed: 0,
    problems: [],
  };

  /** Forwards 100 writes. Once as many as can be are under way after that, the first is what cuts the import short. */
  const cutShort = (cut: (passing: Passing) => Promise<Reaction>) => {
    const [forwarded, underWay] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let [begun, done] = [0, 0];
    stage.react = async (passing) => {
      begun += written(passing) === undefined ? 0 : 1;
      if (begun === 101) {
        await forwarded.promise;
        await sleep(300);
        setTimeout(underWay.resolve, 300);
        return cut(passing);
      }
      await (begun > 101 && underWay.promise);
      const response = await passing.forward();
      done += written(passing) === undefined ? 0 : 1;
      if (done === 100) {
        forwarded.resolve();
      }
      return response;
    };
    return () => begun;
  };
  const expired: Reaction = {
    status: 400,
    body: { __type: 'com.amazon.coral.service#ExpiredTokenException', message: 'expired' },
  };

  test.each([
    ['fail', 'created'],
    ['replace', 'replaced'],
  ])('by an error begins no more writes, counts those under way, and is run again (%s)', async (onConflict, done) => {
    if (onConflict === 'replace') {
      await importText(header + rows(size, 1));
    }
    const begun = cutShort(async () => expired);
    const run = ['inventory', 'import', fileWith(text), '--on-conflict', onConflict, '--json', '--local'];
    const { code, output, errors } = await ops(run);
    const count = 100 + atOnce - 1;
    expect({ code, figures: JSON.parse(output), begun: begun() }).toEqual({
      code: 6,
      figures: { ...figures, [done]: count, left: size - count },
      begun: count + 1,
    });
    expect(JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '').error).toEqual({
      ...{ code: 'unavailable', message: 'The AWS credentials have expired.', hint: `Sign in again. ${again}` },
      problems: [],
    });
    expect((await stage.csv()).match(/,2,sold/g)).toHaveLength(count);

    stage.react = ({ forward }) => forward();
    const rest = { ...figures, unchanged: count, [done]: size - count, left: 0 };
    expect(JSON.parse((await ops(run)).output)).toEqual(rest);
    expect(await stage.csv()).toBe(text);
  });

  test('by Ctrl-C begins no more writes, counts those under way, and says how much is left', async () => {
    const interruption = new AbortController();
    const begun = cutShort((passing) => {
      interruption.abort();
      return passing.forward();
    });
    const { signal } = interruption;
    const { code, output, errors } = await ops(['inventory', 'import', fileWith(text), '--local'], { signal });
    const created = 100 + atOnce;
    expect({ code, output, begun: begun() }).toEqual({
      code: 130,
      output: `200 read: ${created} created, ${size - created} not yet written.\n`,
      begun: created,
    });
    expect(errors.endsWith(`\npetstore: Interrupted.\n${again}\n`)).toBe(true);
    expect(await stage.items()).toHaveLength(created);
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
    const { code, output } = await importText(text, '--json');
    const { created, unchanged } = JSON.parse(output);
    expect({ code, sum: created + unchanged }).toEqual({ code: 0, sum: size });
    expect(unchanged).toBeGreaterThanOrEqual(partly);
    expect(await stage.csv()).toBe(text);
  });
});
