import { existsSync } from 'node:fs';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dynamodbProxy, type Passing, type Reaction, throttled } from '../../support/dynamodb-proxy.ts';
import { awsAround } from '../../support/fake-aws.ts';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { ops } from '../../support/ops.ts';
import { emptyInventory, fileWith, importFile, inventoryCsv } from '../../support/ops-inventory.ts';

const header = 'petId,quantity,status\n';

describe('an import', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });
  beforeEach(() => emptyInventory(run));

  /** Imports through a proxy that reacts to what passes. */
  const importThrough = async (react: (passing: Passing) => Promise<Reaction>, text: string, ...options: string[]) => {
    const proxy = await dynamodbProxy(run.tables.endpoint, react);
    const aws = await awsAround(run);
    const env = { ...aws.environment, AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint };
    const file = fileWith(text);
    const { code, output, errors } = await ops(['inventory', 'import', file, '--stage', 'staging', ...options], {
      env,
    });
    proxy.close();
    await aws.close();
    const problems = errors.split('\n').filter((line) => !/^(Stage: |Checked |Wrote |\d+ %|$)/.test(line));
    return { code, output, problems, file };
  };

  const putByAnother = (petId: string, quantity: string) =>
    run.tables.client.send(
      new PutItemCommand({
        TableName: run.tables.inventory,
        Item: { petId: { N: petId }, quantity: { N: quantity }, status: { S: 'available' } },
      }),
    );

  /** Lets another client in just before the import writes this petId. */
  const justBefore =
    (petId: string, other: () => Promise<unknown>) =>
    async ({ operation, body, forward }: Passing) => {
      const written = { PutItem: body.Item, UpdateItem: body.Key }[operation];
      if (written?.petId.N === petId) {
        await other();
      }
      return forward();
    };

  const leftAlone = 'ops: Some entries were left to others who changed them meanwhile; see above.';

  test.each(['fail', 'replace'])(
    'leaves an entry that another created meanwhile, and says so (%s)',
    async (onConflict) => {
      const react = justBefore('2', () => putByAnother('2', '99'));
      const { file: _file, ...result } = await importThrough(
        react,
        `${header}1,1,sold\n2,2,sold\n3,3,sold\n`,
        '--on-conflict',
        onConflict,
      );
      expect(result).toEqual({
        code: 4,
        output: '3 read: 2 created, 1 left to others who changed them meanwhile.\n',
        problems: [
          'Line 3: petId 2 was changed meanwhile: its quantity is 99, its status available. Left as it is.',
          leftAlone,
        ],
      });
      expect(await inventoryCsv(run)).toBe(`${header}1,1,sold\n2,99,available\n3,3,sold\n`);
    },
  );

  test('skips an entry that another created meanwhile, if those that exist are to be skipped', async () => {
    const react = justBefore('2', () => putByAnother('2', '99'));
    expect(await importThrough(react, `${header}1,1,sold\n2,2,sold\n`, '--on-conflict', 'skip')).toMatchObject({
      code: 0,
      output: '2 read: 1 created, 1 skipped.\n',
      problems: [],
    });
    expect(await inventoryCsv(run)).toBe(`${header}1,1,sold\n2,99,available\n`);
  });

  test("never replaces a client's update that came after the table was read", async () => {
    await importFile(fileWith(`${header}1,1,sold\n2,2,available\n`));
    const react = justBefore('2', () =>
      run.send({
        method: 'PATCH',
        path: '/inventory/2',
        headers: { 'Content-Type': 'application/json' },
        body: '{"quantity":1000}',
      }),
    );
    const result = await importThrough(react, `${header}1,7,sold\n2,7,sold\n`, '--on-conflict', 'replace');
    expect(result).toMatchObject({
      code: 4,
      output: '2 read: 1 replaced, 1 left to others who changed them meanwhile.\n',
      problems: [
        'Line 3: petId 2 was changed meanwhile: its quantity is 1000, its status available. Left as it is.',
        leftAlone,
      ],
    });
    expect(await inventoryCsv(run)).toBe(`${header}1,7,sold\n2,1000,available\n`);
  });

  test('does not bring back an entry that another removed meanwhile', async () => {
    await importFile(fileWith(`${header}1,1,sold\n`));
    const { client, inventory: TableName } = run.tables;
    const react = justBefore('1', () => client.send(new DeleteItemCommand({ TableName, Key: { petId: { N: '1' } } })));
    expect(await importThrough(react, `${header}1,7,sold\n`, '--on-conflict', 'replace')).toMatchObject({
      code: 4,
      problems: ['Line 2: petId 1 was removed meanwhile. Left as it is.', leftAlone],
    });
    expect(await inventoryCsv(run)).toBe(header);
  });

  test('keeps what an entry holds besides when it replaces it', async () => {
    const { client, inventory: TableName } = run.tables;
    const Item = { petId: { N: '1' }, quantity: { N: '1' }, note: { S: 'x' } };
    await client.send(new PutItemCommand({ TableName, Item }));
    expect(await importFile(fileWith(`${header}1,7,sold\n`), '--on-conflict', 'replace')).toMatchObject({ code: 0 });
    const { Attributes } = await client.send(
      new DeleteItemCommand({ TableName, Key: { petId: { N: '1' } }, ReturnValues: 'ALL_OLD' }),
    );
    expect(Attributes).toEqual({ ...Item, quantity: { N: '7' }, status: { S: 'sold' } });
  });

  const many = `${header}${Array.from({ length: 250 }, (_value, i) => `${i},1,sold\n`).join('')}`;

  test('counts an entry once whose answer was lost', async () => {
    let lost = 0;
    const react = async ({ operation, forward }: Passing) => {
      const answer = await forward();
      return operation === 'PutItem' && lost++ < 3 ? undefined : answer;
    };
    expect(await importThrough(react, many)).toMatchObject({
      code: 0,
      output: '250 read: 250 created.\n',
      problems: [],
    });
    expect(lost).toBeGreaterThan(250);
    expect(await inventoryCsv(run)).toBe(many);
  });

  test('waits and tries again when it is throttled', async () => {
    const tries = new Map<string, number>();
    const react = async ({ operation, body, forward }: Passing) => {
      const petId = operation === 'PutItem' ? body.Item.petId.N : '';
      tries.set(petId, (tries.get(petId) ?? 0) + 1);
      // More often than the SDK itself tries.
      return Number(petId) % 50 === 1 && (tries.get(petId) ?? 0) <= 7 ? throttled : forward();
    };
    expect(await importThrough(react, many)).toMatchObject({
      code: 0,
      output: '250 read: 250 created.\n',
      problems: [],
    });
    expect(tries.get('51')).toBe(8);
    expect(await inventoryCsv(run)).toBe(many);
  });

  test('asks again for keys that DynamoDB left unprocessed', async () => {
    await importFile(fileWith(many));
    let asked = 0;
    const react = async ({ operation, body, forward }: Passing) => {
      const [table, request] = Object.entries(body.RequestItems ?? {})[0] as [string, { Keys: unknown[] }];
      if (operation !== 'BatchGetItem' || request.Keys.length < 4) {
        return forward();
      }
      asked += 1;
      const UnprocessedKeys = { [table]: { ...request, Keys: request.Keys.splice(3) } };
      const { status, body: answer } = await forward();
      return { status, body: { ...answer, UnprocessedKeys } };
    };
    const react2 = (passing: Passing) => (passing.operation === 'BatchGetItem' ? react(passing) : passing.forward());
    const few = `${header}${many.split('\n').slice(1, 11).join('\n')}\n300,1,sold\n`;
    expect(await importThrough(react2, few, '--on-conflict', 'skip')).toMatchObject({
      code: 0,
      output: '11 read: 1 created, 10 skipped.\n',
    });
    expect(asked).toBe(3);
  });

  test('leaves a journal when DynamoDB fails for good', async () => {
    const gone = {
      status: 400,
      body: { __type: 'com.amazon.coral.service#ExpiredTokenException', message: 'expired' },
    };
    let puts = 0;
    const react = async ({ operation, forward }: Passing) =>
      operation === 'PutItem' && puts++ > 100 ? gone : forward();
    const { code, output, problems, file } = await importThrough(react, many);
    expect({ code, output, problems }).toEqual({
      code: 6,
      output: '',
      problems: [
        'ops: The AWS credentials have expired. Sign in again.',
        `Resume: npm run ops -- inventory resume ${file}.import`,
      ],
    });
    expect(existsSync(`${file}.import`)).toBe(true);
    expect(await ops(['inventory', 'resume', `${file}.import`, '--local'])).toMatchObject({
      code: 0,
      output: '250 read: 250 created.\n',
    });
    expect(await inventoryCsv(run)).toBe(many);
  });
});
