import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Terminal } from '../../../ops/cli/terminal.ts';
import { assertNpmTookNothing } from '../../../ops/start/npm-options.ts';
import { startCommand } from '../../../ops/start/start-command.ts';
import { temporaryDirectory } from '../../support/local/local-run.ts';
import { ended, project } from '../../support/process/tools.ts';

/** Returns the hint that `start` gives for these words, and these variables of npm. */
const hintFor = (words: string[], variables: NodeJS.ProcessEnv): string | undefined => {
  const command = startCommand({} as Terminal).action(() => {});
  command.parse(words, { from: 'user' });
  try {
    assertNpmTookNothing(command, { npm_lifecycle_event: 'start', ...variables });
    return undefined;
  } catch (error) {
    const { code, details } = error as { code: string; details: { hint: string } };
    expect(code).toBe('usage');
    return details.hint.replace('Put options behind --: ', '');
  }
};

// What npm 10 and 11 make of each command line.
test.each<[typed: string, words: string[], NodeJS.ProcessEnv, hint: string]>([
  ['--port 0', ['0'], { npm_config_port: 'true' }, '--port 0'],
  ['--port=0', [], { npm_config_port: '0' }, '--port 0'],
  ['--port', [], { npm_config_port: 'true' }, '--port PORT'],
  ['--stage prod', ['prod'], { npm_config_stage: 'true' }, '--stage prod'],
  ['--stage=prod', [], { npm_config_stage: 'prod' }, '--stage prod'],
  ['--data ./x', ['./x'], { npm_config_data: 'true' }, '--data ./x'],
  ["--data='my data'", [], { npm_config_data: 'my data' }, "--data 'my data'"],
  [
    '--dynamodb http://127.0.0.1:8000',
    ['http://127.0.0.1:8000'],
    { npm_config_dynamodb: 'true' },
    '--dynamodb http://127.0.0.1:8000',
  ],
  ['--dynamodb=http://x', [], { npm_config_dynamodb: 'http://x' }, '--dynamodb http://x'],
  ['--log-format json', ['json'], { npm_config_log_format: 'true' }, '--log-format json'],
  ['--log-format=json', [], { npm_config_log_format: 'json' }, '--log-format json'],
  ['--json', [], { npm_config_json: 'true' }, '--json'],
  ['--api-key petstore_x', ['petstore_x'], { npm_config_api_key: 'true' }, '--api-key KEY'],
  ['--api-key=petstore_x', [], { npm_config_api_key: 'petstore_x' }, '--api-key KEY'],
  [
    '--app cdk.out, or --app=cdk.out',
    ['cdk.out'],
    { npm_config_all: 'true', npm_config_parseable: 'true' },
    '--app cdk.out',
  ],
  [
    '--port=0 --stage prod',
    ['prod'],
    { npm_config_port: '0', npm_config_stage: 'true' },
    '--port 0 --stage prod',
  ],
  [
    '--port 0 --stage prod',
    ['0', 'prod'],
    { npm_config_port: 'true', npm_config_stage: 'true' },
    '--port PORT --stage STAGE',
  ],
  [
    '--port 0 --json',
    ['0'],
    { npm_config_port: 'true', npm_config_json: 'true' },
    '--port 0 --json',
  ],
])('npm start %s gets a hint', (_typed, words, variables, hint) => {
  expect(hintFor(words, variables)).toBe(`npm start -- ${hint}`);
});

const userconfig = join(mkdtempSync(join(temporaryDirectory, 'npm-')), '.npmrc');
writeFileSync(userconfig, 'registry=https://x\njson=true\n port = 4\nnodata=1\n');
const [elsewhere, directory] = [join(temporaryDirectory, 'none'), join(userconfig, '..')];

test.each<[what: string, words: string[], NodeJS.ProcessEnv]>([
  ['no options', [], {}],
  ['an option behind --', ['--port', '0'], {}],
  ['an option behind --, and one before', ['--port', '0'], { npm_config_port: 'true' }],
  ['another script', ['0'], { npm_config_port: 'true', npm_lifecycle_event: 'npx' }],
  ['no npm', [], { npm_config_port: '4', npm_lifecycle_event: undefined }],
  ['an option of npm', [], { npm_config_loglevel: 'verbose', npm_config_yes: '' }],
  ['options of npm', [], { npm_config_all: 'true', npm_config_parseable: 'true' }],
  ['an option of npm that is off', [], { npm_config_json: '' }],
  ['--log-format behind --', ['--log-format', 'text'], { npm_config_json: 'true' }],
  [
    'a setting of the user',
    [],
    { npm_config_json: 'true', npm_config_port: '4', npm_config_userconfig: userconfig },
  ],
  [
    'a setting of the machine',
    [],
    { npm_config_json: 'true', npm_config_globalconfig: userconfig },
  ],
  ['a setting of the project', [], { npm_config_json: 'true', npm_config_local_prefix: directory }],
])('npm start with %s gets no hint', (_what, words, variables) => {
  expect(hintFor(words, variables)).toBe(undefined);
});

test.each<[what: string, NodeJS.ProcessEnv]>([
  ['no such file', { npm_config_userconfig: elsewhere }],
  ['another setting', { npm_config_userconfig: userconfig }],
])('an option is taken by npm if its configuration has %s', (_what, variables) => {
  expect(hintFor(['./x'], { npm_config_data: 'true', ...variables })).toBe(
    'npm start -- --data ./x',
  );
});

test.each(['--port 0', '--port=0'])('npm start %s ends with the hint', async (typed) => {
  const npm = spawn('npm', ['start', ...typed.split(' ')], { cwd: project });
  const { code, errors } = await ended(npm);
  expect(code).toBe(2);
  expect(errors).toContain(
    'petstore: npm took --port for itself, and did not pass it on.\n' +
      'Put options behind --: npm start -- --port 0\n',
  );
});
