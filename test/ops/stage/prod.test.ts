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

const id = shop.keyId;
const title = `${id} ("shop")`;

/** What is there before each command. */
beforeEach(async () => {
  await keys.put(shop);
  await inventory.put('1,7,sold');
});

const everything = async () => ({ keys: await keys.records(), entries: await inventory.entries() });

const file = join(process.env.TEST_RUN_DIRECTORY ?? '', 'prod.csv');
writeFileSync(file, csv('1,9,sold'));

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
    question: `Prod key ${title} then expires at 2027-01-15T09:00:00Z. Change it?`,
  },
  {
    on: keys,
    line: ['revoke', id],
    question: `Revoke prod key ${title}? The saved query use-of-keys shows who uses it.`,
  },
  {
    on: inventory,
    line: ['import', file, '--replace'],
    question: 'Create 0 and replace 1 entries in prod?',
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

/** Runs a command on prod. Returns what it says, without the progress of an import. */
const onProdSays = async ({ on, line }: (typeof commands)[number], options?: PetstoreOptions) => {
  const { code, output, errors } = await on.prod(line, options);
  return { code, output, errors: errors.replace('Looked up 1 of 1\n', '') };
};

test.each(commands)('on prod, $line does nothing without a yes', async (command) => {
  const { question } = command;
  const before = await everything();
  expect(await onProdSays(command, { typed: 'no\r' })).toStrictEqual({
    code: 3,
    output: '',
    errors: `${onProd}${question} [y/N] no\r\npetstore: Nothing was changed.\n`,
  });
  expect(await onProdSays(command)).toStrictEqual({
    code: 1,
    output: '',
    errors: `${onProd}petstore: ${question} There is no terminal to ask on; confirm with --yes.\n`,
  });
  expect(await everything()).toStrictEqual(before);

  const { code, errors } = await onProdSays(command, { typed: 'y\r' });
  const asked = errors.startsWith(`${onProd}${question} [y/N] y\r\n`);
  expect({ code, asked }).toStrictEqual({ code: 0, asked: true });
  expect(await everything()).not.toStrictEqual(before);
});

test.each(commands)('on prod, $line asks nothing with --yes', async ({ on, line, question }) => {
  const before = await everything();
  const { code, errors } = await on.prod([...line, '--yes']);
  expect({ code, asked: errors.includes(question) }).toStrictEqual({ code: 0, asked: false });
  expect(await everything()).not.toStrictEqual(before);
});

test('on a local run, nothing asks', async () => {
  for (const { on, line } of commands) {
    expect(await on.local(line)).toMatchObject({ code: 0 });
  }
});

test('a local run of prod is asked as little as that of staging', async () => {
  const origin = await serve((_request, response) => {
    const run = { stageName: 'prod', baseUrl: `${origin}/prod/v1`, dynamodb: keys.tables };
    response.end(JSON.stringify(run));
  });
  const { port } = new URL(origin);
  const { code } = await petstore(['keys', 'revoke', id, '--local', '--port', port]);
  expect(code).toBe(0);
});
