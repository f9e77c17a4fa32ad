// Where tables are kept, and which other engines may take the place of the built-in one.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { checkEngine } from '../../../local/tables/check-engine.ts';
import { localDynamodb, untilTableExists } from '../../../local/tables/local-dynamodb.ts';
import { createTables } from '../../../local/tables/tables.ts';
import {
  dynamodbProxy,
  type Passing,
  type Reaction,
} from '../../support/dynamodb/dynamodb-proxy.ts';
import { startEngine } from '../../support/dynamodb/engine.ts';
import { serve } from '../../support/http/serve.ts';
import { newDirectory, startPets, table, templateOf } from '../../support/local/pets.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { until } from '../../support/process/until.ts';

describe('a data directory', () => {
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

  test('is made with its parents, and closed to other users, as are tables of an earlier run', async () => {
    const directory = join(newDirectory(), 'a/b');
    const first = await startPets(directory);
    await first.put('a');
    await first.close();
    const tables = join(directory, 'petstore-tables');
    expect([modeOf(directory), modeOf(tables)]).toStrictEqual(['700', '700']);
    chmodSync(tables, 0o777);
    const second = await startPets(directory);
    expect([modeOf(tables), await second.ids()]).toStrictEqual(['700', ['a']]);
  });

  test('says which engine wrote it; one that does not say, from an earlier run, is dynalite’s', async () => {
    const directory = newDirectory();
    const mark = join(directory, 'petstore-tables/engine');
    const first = await startPets(directory);
    await first.put('a');
    await first.close();
    expect(readFileSync(mark, 'utf8')).toBe('dynalite\n');
    rmSync(mark);
    const second = await startPets(directory);
    expect(await second.ids()).toStrictEqual(['a']);
  });

  test('of other files keeps them as they are', async () => {
    const directory = newDirectory();
    chmodSync(directory, 0o755);
    for (const name of ['CURRENT', '000003.log', 'photo.jpg']) {
      writeFileSync(join(directory, name), name);
    }
    const { close } = await startPets(directory);
    await close();
    expect(readdirSync(directory).sort()).toStrictEqual([
      '000003.log',
      'CURRENT',
      'petstore-tables',
      'photo.jpg',
    ]);
    expect(modeOf(directory)).toBe('755');
  });
});

test.each([
  {
    what: 'another run is using',
    make: async () => {
      const directory = newDirectory();
      await startPets(directory);
      return directory;
    },
    reason: 'another run is using it',
  },
  // Node's own recursion never ends here.
  { what: 'cannot be made', make: () => '/proc/a/b', reason: "ENOENT: .* '/proc/a'" },
  {
    what: 'holds damaged tables',
    make: () => {
      const directory = newDirectory();
      mkdirSync(join(directory, 'petstore-tables'));
      writeFileSync(join(directory, 'petstore-tables/CURRENT'), 'MANIFEST-9\n');
      return directory;
    },
    reason: '.+',
  },
  {
    what: 'holds tables of another engine',
    make: () => {
      const directory = newDirectory();
      mkdirSync(join(directory, 'petstore-tables'));
      writeFileSync(join(directory, 'petstore-tables/engine'), 'another\n');
      return directory;
    },
    reason: 'another wrote its tables, which dynalite cannot read',
  },
  // test/ops/start/start-command.test.ts has one that is a file.
])('a data directory that $what is an error that names it', async ({ make, reason }) => {
  const directory = await make();
  const message = expect.stringMatching(
    `^${RegExp.escape(directory)} cannot be used: ${reason}\\.$`,
  );
  await expect(startPets(directory)).rejects.toMatchObject({ name: 'LocalRunError', message });
});

/** Starts an engine, and in front of it one that differs from it. */
const startAnother = async (spoil: (passing: Passing) => Promise<Reaction>) => {
  const { endpoint, close } = await startEngine();
  atEnd(close);
  const operations: string[] = [];
  const proxy = await dynamodbProxy(endpoint, async (passing) => {
    const answer = await spoil(passing);
    operations.push(passing.operation);
    return answer;
  });
  atEnd(proxy.close);
  /** Waits until all that was made has been removed: a table is gone a moment after it is deleted. */
  const isLeftAsItWas = async (): Promise<void> => {
    expect(operations.at(-1)).toBe('DeleteTable');
    const client = await createTables(templateOf(), endpoint);
    atEnd(() => client.destroy());
    await until('no table', async () => (await client.listTables()).TableNames?.length === 0);
  };
  return { url: proxy.endpoint, isLeftAsItWas };
};

const withNewToken = ({ body, forward }: Passing) => {
  if (body.ClientRequestToken) {
    body.ClientRequestToken = crypto.randomUUID();
  }
  return forward();
};

const seen = new Set<string>();
const withNewTokenIfRepeated = (passing: Passing) => {
  const request = JSON.stringify(passing.body);
  const isRepeated = seen.has(request);
  seen.add(request);
  return isRepeated ? withNewToken(passing) : passing.forward();
};

// test/ops/start/start-command.test.ts has a server that is no engine.
describe('another engine', () => {
  test.each<[what: string, spoil: (passing: Passing) => Promise<Reaction>]>([
    [
      'returns no old item',
      async ({ forward }) => {
        const { status, body } = await forward();
        for (const reason of body.CancellationReasons ?? []) {
          delete reason.Item;
        }
        return { status, body };
      },
    ],
    [
      'has no transactions',
      ({ headers, forward }) => {
        headers['x-amz-target'] = headers['x-amz-target']?.toString().replace('TransactWrite', '');
        return forward();
      },
    ],
  ])('that %s is refused, and left as it was', async (_what, spoil) => {
    const { url, isLeftAsItWas } = await startAnother(spoil);
    const reason = "it returns no item when a transaction's condition is false";
    await expect(checkEngine(url)).rejects.toMatchObject({
      name: 'LocalRunError',
      message: `${url} cannot be used as a DynamoDB engine: ${reason}.`,
    });
    await isLeftAsItWas();
  });

  test.each<[what: string, keepsTokens: boolean, spoil: (passing: Passing) => Promise<Reaction>]>([
    ['keeps tokens', true, ({ forward }) => forward()],
    ['ignores tokens', false, withNewToken],
    [
      'lets a token serve another transaction',
      false,
      async (passing) => {
        const answer = await passing.forward();
        const isMismatch = /Mismatch/.test(answer.body.__type);
        return isMismatch ? { status: 200, body: {} } : answer;
      },
    ],
    ['applies a repetition', false, withNewTokenIfRepeated],
  ])('that %s is used, and known to keep tokens: %s', async (_what, keepsTokens, spoil) => {
    const { url, isLeftAsItWas } = await startAnother(spoil);
    expect(await checkEngine(url)).toStrictEqual({ keepsTokens });
    await isLeftAsItWas();
  });
});

test.each(['use_fips_endpoint', 'use_dualstack_endpoint'])(
  'the tables work for a user whose profile has set %s',
  async (setting) => {
    const file = join(mkdtempSync(join(tmpdir(), 'aws-')), 'config');
    writeFileSync(file, `[default]\n${setting} = true\n`);
    const outside = process.env;
    process.env = { ...outside, AWS_CONFIG_FILE: file, [`AWS_${setting.toUpperCase()}`]: 'true' };
    try {
      const { put, ids } = await startPets();
      await put('a');
      expect(await ids()).toStrictEqual(['a']);
      const { url, isLeftAsItWas } = await startAnother(({ forward }) => forward());
      expect(await checkEngine(url)).toStrictEqual({ keepsTokens: true });
      await isLeftAsItWas();
    } finally {
      process.env = outside;
    }
  },
);

test('another engine whose table is never ready is an error in words', async () => {
  const { url } = await startAnother(async ({ operation, forward }) => {
    const { status, body } = await forward();
    if (operation === 'DescribeTable') {
      body.Table.TableStatus = 'CREATING';
    }
    return { status, body };
  });
  const client = localDynamodb(url);
  atEnd(() => client.destroy());
  await client.createTable({ ...table, TableName: 'pets', BillingMode: 'PAY_PER_REQUEST' });
  await expect(untilTableExists(client, 'pets', 0.1)).rejects.toMatchObject({
    name: 'LocalRunError',
    message: 'After 0.1 seconds, the table pets is CREATING.',
  });
});

test('another engine that does not answer is an error that says so', async () => {
  const real = ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] as const;
  jest.useFakeTimers({ doNotFake: [...real] });
  const url = await serve(() => {});
  let failure: unknown;
  checkEngine(url).catch((error) => {
    failure = error;
  });
  // Not a number of turns: what the SDK does before it waits takes real time.
  const deadline = performance.now() + 60_000;
  while (failure === undefined && performance.now() < deadline) {
    await jest.advanceTimersByTimeAsync(1_000);
    await nextTurn();
  }
  jest.useRealTimers();
  expect(failure).toMatchObject({
    name: 'LocalRunError',
    message: `${url} cannot be used as a DynamoDB engine: it does not answer.`,
  });
}, 70_000);
