import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import type { Terminal } from '../../../ops/cli/terminal.ts';
import { petstore as program } from '../../../ops/program.ts';
import { serve } from '../../support/http/serve.ts';
import { csv, inventoryStage, onProd } from '../../support/ops/inventory.ts';
import { keysStage, shop } from '../../support/ops/keys.ts';
import { type PetstoreOptions, petstore } from '../../support/ops/petstore.ts';

const keys = keysStage();
const inventory = inventoryStage();

/** What is there before each command. */
beforeEach(async () => {
  await keys.put(shop);
  await inventory.put('1,7,sold');
});

const everything = async () => [...(await keys.records()), ...(await inventory.entries())];

const id = shop.keyId;
const file = join(process.env.TEST_RUN_DIRECTORY ?? '', 'prod.csv');
writeFileSync(file, csv('1,9,sold', '2,8,sold', '3,8,sold'));

/** Every command that changes something, and what it asks before it changes prod. */
const commands = [
  {
    on: keys,
    line: ['create', '--name', 'bot'],
    question: 'Create a key named "bot" for prod, which never expires?',
  },
  {
    on: keys,
    line: ['expire', id, '1h'],
    question: `Prod key ${id} ("shop") then expires at 2027-01-15T09:00:00Z. Change it?`,
  },
  {
    on: keys,
    line: ['revoke', id],
    question: `Revoke prod key ${id} ("shop")? The saved query use-of-keys shows who uses it.`,
  },
  {
    on: inventory,
    line: ['import', file, '--replace'],
    question: 'Create 2 and replace 1 entries in prod?',
  },
  {
    on: inventory,
    line: ['set', '1', '--quantity', '8', '--status', 'pending'],
    question: 'Set {"quantity":8,"status":"pending"} for petId 1 in prod?',
  },
  {
    on: inventory,
    line: ['remove', '1'],
    question: '{"petId":1,"quantity":7,"status":"sold"}\nRemove 1 entry from prod?',
  },
];

test('these are all commands that change something', () => {
  const changing = program({} as Terminal)
    .commands.flatMap((group) => group.commands)
    .filter(({ options }) => options.some(({ long }) => long === '--yes'));
  expect(commands.map(({ line: [name] }) => name).sort()).toStrictEqual(
    changing.map((command) => command.name()).sort(),
  );
});

test.each(commands)('$line asks before it changes prod', async ({ on, line, question }) => {
  /** Returns the exit code, what is said but for an import's progress, and whether all is as before. */
  const run = async (words: string[], options?: PetstoreOptions) => {
    const before = await everything();
    const { code, errors } = await on.prod(words, options);
    const isSame = (await everything()).join() === before.join();
    return { code, isSame, says: errors.replace('Looked up 3 of 3\n', '') };
  };
  expect(await run(line, { typed: async () => 'no' })).toStrictEqual({
    code: 3,
    isSame: true,
    says: `${onProd}${question} [y/N] no\npetstore: Nothing was changed.\n`,
  });
  expect(await run(line)).toStrictEqual({
    code: 1,
    isSame: true,
    says: `${onProd}petstore: ${question} There is no terminal to ask on; confirm with --yes.\n`,
  });
  expect(await run(line, { typed: async () => 'y' })).toStrictEqual({
    code: 0,
    isSame: false,
    says: expect.stringMatching(new RegExp(`^${RegExp.escape(`${onProd}${question} [y/N] y\n`)}`)),
  });
});

test.each(commands)('$line with --yes changes prod at once', async ({ on, line, question }) => {
  const before = await everything();
  const { code, errors } = await on.prod([...line, '--yes']);
  expect({ code, asked: errors.includes(question) }).toStrictEqual({ code: 0, asked: false });
  expect(await everything()).not.toStrictEqual(before);
});

test('a local run of prod asks nothing', async () => {
  const origin = await serve((_request, response) => {
    const run = { stageName: 'prod', baseUrl: `${origin}/prod/v1`, dynamodb: keys.tables };
    response.end(JSON.stringify(run));
  });
  const { port } = new URL(origin);
  const { code } = await petstore(['keys', 'revoke', id, '--local', '--port', port]);
  expect(code).toBe(0);
});
