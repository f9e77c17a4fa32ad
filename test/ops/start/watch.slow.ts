import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { dynamodbProxy, pass } from '../../support/dynamodb/dynamodb-proxy.ts';
import { startEngine } from '../../support/dynamodb/engine.ts';
import { startRun } from '../../support/local/local-run.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { projectCopy } from '../../support/process/project-copy.ts';

const project = projectCopy();
const inProject = (path: string) => join(project, path);

/** Saves a file as editors do, who replace it by another. */
const save = (path: string, text: string): void => {
  writeFileSync(inProject(`${path}.new`), text);
  renameSync(inProject(`${path}.new`), inProject(path));
};

const engine = await startEngine();
atEnd(engine.stop);
/** Resolves when a call may go on to the tables. */
let barrier = Promise.resolve();
const tables = await dynamodbProxy(engine.endpoint, async (call) => {
  await barrier;
  return pass(call);
});
atEnd(tables.close);

const run = await startRun(
  ['--watch', '--dynamodb', tables.endpoint],
  { CDK_APP: undefined },
  project,
);

const parser = 'functions/inventory/parse-update.ts';
const original = readFileSync(inProject(parser), 'utf8');
/** The parser, with other words for a wrong quantity. */
const saying = (words: string) => original.replace('an integer from 0 to', `${words}, 0 to`);

/** Waits until a wrong quantity is refused in these words. */
const untilRefusedBy = async (words: string): Promise<void> => {
  while (!(await run.patch(1, '{"quantity":-1}')).text.includes(words)) {
    await sleep(50);
  }
};
/** Waits until a line is logged that says this. */
const logged = async (text: string): Promise<void> => {
  const before = run.log().length;
  while (!run.log().slice(before).includes(text)) {
    await sleep(50);
  }
};

afterEach(async () => {
  save(parser, original);
  await untilRefusedBy('must be an integer from 0 to');
});

test('a change of a function is served as often as it is saved, with the same tables', async () => {
  expect((await run.patch(1, '{"quantity":4321}')).status).toBe(200);
  for (const words of ['first words', 'second words', 'third words']) {
    save(parser, saying(words));
    await untilRefusedBy(words);
  }
  expect((await run.send({ path: '/inventory' })).text).toContain('"petId":1,"quantity":4321');
  expect((await fetch(new URL('/', run.baseUrl))).status).toBe(200);
});

test('a change in a new directory is served', async () => {
  mkdirSync(inProject('functions/words'));
  writeFileSync(inProject('functions/words/range.ts'), "export const range = 'in a new file';\n");
  save(
    parser,
    `import { range } from '../words/range.ts';\n${saying('an integer').replace(/const quantityRange = .*/, 'const quantityRange = range;')}`,
  );
  await untilRefusedBy('in a new file');
  save('functions/words/range.ts', "export const range = 'in a changed file';\n");
  await untilRefusedBy('in a changed file');
  save(parser, original);
  rmSync(inProject('functions/words'), { recursive: true });
});

test('a change that does not compile is reported, and the code before it goes on', async () => {
  save(parser, saying('before the mistake'));
  await untilRefusedBy('before the mistake');
  save(parser, original.replace('const body', 'const const body'));
  const report =
    /petstore: esbuild failed\.\n.*ERROR.*\n\n +functions\/inventory\/parse-update\.ts:4:\d+:\n(.*\n)*The code before this change is served further\./;
  while (!report.test(run.log())) {
    await sleep(50);
  }
  await untilRefusedBy('before the mistake');
});

test('a directory that is away for a moment does not end the run', async () => {
  save(parser, saying('before it was away'));
  // By now, this change is being bundled. A second later, that has ended.
  await sleep(200);
  renameSync(inProject('functions'), inProject('elsewhere'));
  await sleep(1_000);
  renameSync(inProject('elsewhere'), inProject('functions'));
  await untilRefusedBy('before it was away');
});

test('a request that is under way is answered by the old code', async () => {
  let status = 503;
  // A busy machine may bundle for longer than a request waits for DynamoDB: then hold another.
  for (let attempt = 1; status === 503 && attempt <= 5; attempt += 1) {
    const words = `while request ${attempt} was held`;
    const { promise, resolve: open } = Promise.withResolvers<void>();
    barrier = promise;
    const held = run.patch(1, '{"quantity":77}');
    const served = logged(`Serving ${parser}`);
    save(parser, saying(words));
    await served;
    open();
    ({ status } = await held);
    await untilRefusedBy(words);
  }
  expect(status).toBe(200);
});

test('a change of the infrastructure is synthesized, and served', async () => {
  const path = 'infra/api/gateway-responses.ts';
  const responses = readFileSync(inProject(path), 'utf8');
  expect((await run.send({ path: '/nothing' })).headers['x-tried']).toBeUndefined();
  save(path, responses.replace(`"'Bearer'" }`, `"'Bearer'", 'X-Tried': "'yes'" }`));
  const headers = { Authorization: 'Bearer none' };
  while (!(await run.send({ path: '/inventory', headers })).headers['x-tried']) {
    await sleep(100);
  }
  expect((await run.send({ path: '/inventory' })).status).toBe(200);
  expect(existsSync(inProject('cdk.out'))).toBe(false);
});

test('a template that cannot be synthesized is reported, and the one before goes on', async () => {
  const path = 'infra/service/tables.ts';
  const text = readFileSync(inProject(path), 'utf8');
  const reported = logged('of this test');
  save(path, `${text}\nthrow new Error('of this test');\n`);
  await reported;
  expect((await run.send({ path: '/inventory' })).status).toBe(200);
  save(path, text);
});
