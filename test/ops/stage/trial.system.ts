// The trial of the first deployment, against an engine that forgets the tokens of refused transactions.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import { localCredentials as credentials, region } from '../../../local/shared/account.ts';
import { createTable } from '../../support/dynamodb/create-table.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { runProgram } from '../../support/process/tools.ts';

const endpoint = process.env.TEST_DYNAMODB_ENDPOINT ?? '';
const TABLE = `trial-${crypto.randomUUID()}`;
const client = new DynamoDB({ endpoint, region, credentials });
atEnd(() => client.destroy());
await createTable(client, { name: TABLE, key: 'petId', type: 'N' });

/** An AWS CLI for two commands: each option is a member of the request. */
const aws = `#!${process.execPath}
const [, , , command, ...options] = process.argv;
const pascal = (text) => text.replace(/(^|-)(\\w)/g, (_, _dash, letter) => letter.toUpperCase());
const input = {};
for (let index = 0; index < options.length; index += 2) {
  const value = options[index + 1];
  input[pascal(options[index].slice(2))] = /^[{[]/.test(value) ? JSON.parse(value) : value;
}
const headers = {
  'X-Amz-Target': 'DynamoDB_20120810.' + pascal(command),
  'Content-Type': 'application/x-amz-json-1.0',
  Authorization: 'AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=a, Signature=a',
  'X-Amz-Date': 'a',
};
const body = JSON.stringify(input);
const response = await fetch(process.env.ENDPOINT, { method: 'POST', headers, body });
if (!response.ok) {
  console.error(await response.text());
  process.exitCode = 254;
}
`;
const programs = mkdtempSync(join(tmpdir(), 'trial-'));
atEnd(() => rmSync(programs, { recursive: true }));
writeFileSync(join(programs, 'aws'), aws);
chmodSync(join(programs, 'aws'), 0o755);

const trial = async (...args: string[]) => {
  const PATH = [programs, process.env.PATH].join(delimiter);
  const env = { PATH, TABLE, TRIAL: 'trial', ENDPOINT: endpoint };
  const { output, errors } = await runProgram('sh', ['ops/stage/trial.sh', ...args], env);
  return output + (/#(\w+)/.exec(errors)?.[1] ?? errors);
};

const stock = async () => {
  const { Items } = await client.scan({ TableName: TABLE });
  return Items?.map(({ petId, quantity }) => `${petId?.N}: ${quantity?.N}`);
};

beforeEach(() => client.deleteItem({ TableName: TABLE, Key: { petId: { N: '1' } } }));

test('shows that a refused update has left its token', async () => {
  expect(await trial('stock', '5')).toBe('the stock is 5\n');
  expect(await trial('sell', 'refused')).toBe('TransactionCanceledException');
  expect(await trial('check', 'refused')).toBe('refused\n');
  expect(await trial('stock', '7')).toBe('the stock is 7\n');
  expect(await trial('sell', 'refused')).toBe('IdempotentParameterMismatchException');
  expect(await trial('sell', 'another')).toBe('another\n');
  expect(await stock()).toStrictEqual(['1: 4']);
});

test('prints no pair if of each only one succeeds, and none of them is written elsewhere', async () => {
  await trial('stock', '7');
  expect(await trial('pairs', '5')).toBe('');
  expect(await trial('set', 'pair-9')).toBe('pair-9\n');
  expect(await stock()).toStrictEqual(['1: 4']);
});
