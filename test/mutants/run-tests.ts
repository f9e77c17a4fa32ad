/**
 * The tests of the mutant that Stryker names in the environment: those that can notice what is in its folder, the
 * quickest first, until one fails. The functions run in processes of their own, so the mutant is set in their
 * environment, in the template.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyAssembly, synthesize } from '../../local/synthesize.ts';

const variable = '__STRYKER_ACTIVE_MUTANT__';
const { [variable]: mutant } = process.env;
const project = join(import.meta.dirname, '../..');

const update = 'functions/update-inventory';
const list = 'functions/list-inventory.test';
const log = 'functions/observability';
const stack = 'infra/inventory-stack';
const stream = 'functions/list-inventory-stream';

/** By what is in a file's path, the first that is there. */
const testsOf: [RegExp, string[]][] = [
  [/keys|authorizer/, ['functions/keys', 'functions/authorizer', log, 'acceptance', 'ops/keys', 'faults/authorizer']],
  [/time-limits/, [stack, 'functions/dynamodb', 'faults', stream]],
  [/list|scan|page|stream|gzip/, ['functions/http', list, log, 'faults/list', stream]],
  [/errors/, ['functions/errors', log, 'faults/authorizer']],
  [/observability/, [log, update, list, 'functions/dynamodb', stream, 'faults/update']],
  [/dynamodb/, ['functions/dynamodb', log, list, 'faults/update']],
  [/update|table|pet-id|excerpt|json|path|item/, [update, 'acceptance', log, 'faults/update', 'functions/any-input']],
  [/./, [update, list, 'functions/authorizer', log, 'acceptance', 'faults/update', 'faults/list']],
];

const mutated = globSync('functions/**/*.ts', { cwd: project }).find((file) =>
  readFileSync(join(project, file), 'utf8').includes(`stryMutAct_9fa48("${mutant}")`),
);
// One after another, to be done at the first that fails. Without a mutant Stryker asks whether the code with all of them
// in it passes at all: whatever fails there would seem to notice every one.
const rounds = mutated
  ? (testsOf.find(([pattern]) => pattern.test(mutated))?.[1] ?? []).map((test) => [test])
  : [[...new Set(testsOf.flatMap(([, tests]) => tests))]];

// What the template is made of too has a template of its own.
const assembly = rounds.flat().includes(stack) ? await synthesize('*') : copyAssembly(join(project, 'cdk.out'));
for (const template of globSync(join(assembly, 'assembly-*/*.template.json'))) {
  const text = readFileSync(template, 'utf8');
  writeFileSync(template, text.replaceAll('"Variables": {', `"Variables": {"${variable}": "${mutant}",`));
}

for (const round of rounds) {
  const tests = round.map((test) => `test/${test}`);
  const options = ['--bail', '--testEnvironment', './test/mutants/fail-fast.js', ...(mutated ? ['--runInBand'] : [])];
  const fail = () =>
    spawnSync('npm', ['test', '--', ...tests, ...options], {
      cwd: project,
      env: { ...process.env, CLOUD_ASSEMBLY: assembly },
      stdio: 'ignore',
    }).status !== 0;
  // Twice: on a busy machine a test may fail once for another reason.
  if (fail() && fail()) {
    console.log(`Noticed by ${tests.join(' ')}.`);
    process.exit(1);
  }
}
