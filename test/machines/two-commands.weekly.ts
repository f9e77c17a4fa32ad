import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from '@jest/globals';
import manifest from '../../package.json' with { type: 'json' };
import { ctrlC } from '../support/process/terminal.ts';
import { setUp } from './machine.ts';

const machine = `${process.platform}-${process.arch}`;
if (machine !== 'linux-x64') {
  throw new Error(
    `npm run test:weekly needs Linux on x64, because it runs other releases of Node that are ` +
      `built for it. This machine is ${machine}.`,
  );
}

/** Returns the processes of a session, except zombies (state Z), which have ended. */
const processesOf = (session: string): string[] =>
  execFileSync('ps', ['-A', '-o', 'sess=,stat=,args='], { encoding: 'utf8' }).match(
    new RegExp(`^ *${session} +[^Z\\s].*$`, 'gm'),
  ) ?? [];

/** Returns the session that a terminal has started for its command. */
const sessionOf = (terminal: number | undefined): string => {
  const options = ['-o', 'sess=', '--ppid', String(terminal)];
  return execFileSync('ps', options, { encoding: 'utf8' }).trim();
};

/** Collects what is shown on a terminal, until a line matches. Returns the line. */
const shown = async (output: Readable, line: RegExp): Promise<string> => {
  let text = '';
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const [found] = line.exec(text) ?? [];
    if (found !== undefined) {
      return found;
    }
  }
  throw new Error(`The command has ended without a line that matches ${line}:\n${text}`);
};

describe.each([
  { npm: '10.8', node: 20, folder: 'plain' },
  { npm: '10.9', node: 22, folder: 'für alle' },
  { npm: '11', node: 24, folder: 'same-node' },
  { npm: '11', node: 26, folder: 'newer-node' },
  { npm: '12', node: 22, folder: 'newer-npm' },
])('npm $npm on Node $node, in the folder "$folder"', (row) => {
  let user: Awaited<ReturnType<typeof setUp>>;
  beforeAll(async () => {
    user = await setUp(row);
    const installed = await user.run('npm ci --no-audit --no-fund');
    expect(installed).toMatchObject({ code: 0, errors: '' });
  });

  test('the machine has this Node and this npm', async () => {
    const { output } = await user.run('node --version; npm --version');
    expect(output).toMatch(new RegExp(`^v${row.node}\\..*\n${row.npm}\\.`));
  });

  test('npm start prints a command that answers 200, and one Ctrl-C ends all of it', async () => {
    const terminal = user.onTerminal('npm', 'start', '--', '--port', '0');
    const output = terminal.stdout as Readable;
    output.setEncoding('utf8');
    const command = await shown(output, /^curl .*(?=\r?\n)/m);
    const session = sessionOf(terminal.pid);
    const { output: response } = await user.run(command);
    expect(response).toMatch(/^\[\{.*\}\]\n200$/);

    expect(processesOf(session).length).toBeGreaterThan(2);
    const closed = once(terminal, 'close');
    terminal.stdin?.write(ctrlC);
    output.resume();
    await closed;
    expect(processesOf(session)).toStrictEqual([]);
  });

  test('an option of petstore that npm takes for its own is named, and nothing starts', async () => {
    // npm 12 itself refuses it, before the program could.
    const { code, output, errors } = await user.run('npm start --data=DIR');
    expect(code).not.toBe(0);
    expect(errors).toContain('--data');
    expect(output).not.toContain('Base URL');
  });

  test('scripts and npx run the Node of the machine', async () => {
    // npm would link a packaged Node's program, and both would find that first.
    const { output } = await user.run('npm exec --no --call "node --version"');
    expect(output).toMatch(new RegExp(`^v${row.node}\\.`));
  });

  test('npx finds the command of the checkout', async () => {
    const version = await user.run('npx --no -- petstore --version');
    expect(version).toStrictEqual({ code: 0, output: `${manifest.version}\n`, errors: '' });
  });

  test('npx finds cdk, which synthesizes both stages', async () => {
    const synth = 'rm -rf cdk.out && npx cdk synth "*/*" --quiet';
    expect(await user.run(synth)).toMatchObject({ code: 0 });
    const templates =
      'ls cdk.out/assembly-staging/*.template.json cdk.out/assembly-prod/*.template.json';
    expect(await user.run(templates)).toMatchObject({ code: 0 });
  });

  test('npm test runs', async () => {
    const suite = await user.run('npm test -- test/package.test.ts');
    expect(suite).toMatchObject({ code: 0 });
  });
});

test('where npm omits packages for development, npm start says what to type, and that helps', async () => {
  const user = await setUp({ npm: '10.8', node: 20, folder: 'production' });
  await user.run('NODE_ENV=production npm ci --no-audit --no-fund');
  expect(await user.run('npm start --silent')).toStrictEqual({
    code: 1,
    output: '',
    errors:
      'petstore: npm has left out the development packages, because NODE_ENV is production or ' +
      'npm is set to omit them. petstore needs them: run npm ci --include=dev\n',
  });
  const repaired = 'export NODE_ENV=production; npm ci --include=dev --no-audit --no-fund';
  const { output } = await user.run(`${repaired} && npx --no -- petstore --version`);
  expect(output).toMatch(new RegExp(`^${manifest.version}$`, 'm'));
});

test.each([
  { npm: '11', node: 24, folder: 'cool', setting: 'min-release-age=3650' },
  { npm: '12', node: 26, folder: 'frozen', setting: 'before=2020-01-01' },
])('where a user of npm $npm has set $setting, README says what installs', async (machine) => {
  const user = await setUp(machine);
  const [install = ''] = /npm ci --[\w=-]+/.exec(readFileSync('README.md', 'utf8')) ?? [];
  // Without the option, the setting does what it is for.
  const refused = await user.run('npm ci --no-audit --no-fund');
  expect(refused.code).not.toBe(0);
  expect(await user.run(`${install} --no-audit --no-fund`)).toMatchObject({ code: 0, errors: '' });
  const version = await user.run('npx --no -- petstore --version');
  expect(version).toMatchObject({ code: 0, output: `${manifest.version}\n` });
  expect(await user.run('npm run -s install:bench')).toMatchObject({ code: 0 });
});
