import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { asShown, patternOf, runInShell, stepsOf } from '../support/docs/console.ts';
import { blocksOf, pages, textOf } from '../support/docs/markdown.ts';
import { atEnd } from '../support/process/at-end.ts';
import { project } from '../support/process/tools.ts';
import { until } from '../support/process/until.ts';

/** The pages whose first command is `npm start`. The others run beside it, in a second terminal. */
const tutorials = pages
  .map((page) => {
    const [start, ...steps] = stepsOf(textOf(page));
    // What a page shows in a block of text is printed by the first terminal, as the log.
    return { page, start, steps, logged: blocksOf(textOf(page), 'text') };
  })
  .filter(({ start }) => start?.command === 'npm start');

test('there are tutorials, and one of them shows a log', () => {
  expect(tutorials.map(({ page }) => page)).toContain('docs/quick-start.md');
  expect(tutorials.flatMap(({ logged }) => logged)).not.toStrictEqual([]);
});

/** Starts the service on a free port, as `npm start` does on its own. */
const start = async () => {
  const child = spawn(process.execPath, ['ops/main.ts', 'start', '--port', '0'], { cwd: project });
  atEnd(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (printed += chunk));
  await until('the service', () => child.exitCode !== null || /^curl .*\n/m.test(printed), 300);
  const banner = printed;
  return {
    banner,
    log: () => printed.slice(banner.length),
    stop: async () => {
      child.kill('SIGINT');
      await once(child, 'close');
    },
  };
};

describe.each(tutorials)('$page', ({ start: first, steps, logged }) => {
  test('its commands and its log print what it shows, but for keys, ids and times', async () => {
    const run = await start();
    // The page has the port and a key of its own, and this run has others.
    const [, port = ''] = /^Base URL: http:\/\/127\.0\.0\.1:(\d+)/m.exec(run.banner) ?? [];
    const [, apiKey = ''] = /^API key: (\S+)$/m.exec(run.banner) ?? [];
    const commands = steps.map(({ command }) =>
      command
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
        .replaceAll('--local', `--local --port ${port}`)
        .replaceAll(/petstore_staging_[0-9a-f]+…/g, apiKey),
    );
    const printed = await runInShell(commands, {});
    await run.stop();

    // Each step as the page has it, unless its output differs in more than keys, ids and times.
    const seen = [first, ...steps].map((step, index) => {
      const output = [run.banner.trimEnd(), ...printed][index] ?? 'It did not run.';
      return { ...step, shown: asShown(step?.shown ?? '', output) };
    });
    expect(seen).toStrictEqual([first, ...steps]);
    const missing = logged.filter((lines) => !patternOf(lines).test(run.log()));
    // A failure shows the log, too.
    expect({ missing, log: missing.length > 0 ? run.log() : '' }).toStrictEqual({
      missing: [],
      log: '',
    });
  });
});
