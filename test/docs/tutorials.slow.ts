import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { asShown, patternOf, runInShell, stepsOf } from '../support/docs/console.ts';
import { blocksOf, pages, textOf } from '../support/docs/markdown.ts';
import { atEnd } from '../support/process/at-end.ts';
import { project } from '../support/process/tools.ts';
import { until } from '../support/process/until.ts';

/** The pages that show requests, and what the first terminal prints, whose command is `npm start`. */
const tutorials = pages
  .map((page) => {
    const steps = stepsOf(textOf(page));
    return {
      page,
      started: steps.find(({ command }) => command === 'npm start')?.shown ?? '…',
      // They run beside it, in a second terminal.
      steps: steps.filter(({ command }) => command !== 'npm start'),
      // What a page shows in a block of text is printed by the first terminal, as the log.
      logged: blocksOf(textOf(page), 'text'),
    };
  })
  .filter(({ steps }) => steps.some(({ command }) => command.includes('$PETSTORE_BASE_URL')));

test('there are tutorials, and one of them shows a log', () => {
  expect(tutorials.map(({ page }) => page)).toContain('docs/quick-start.md');
  expect(tutorials.flatMap(({ logged }) => logged)).not.toStrictEqual([]);
});

/** Starts the service on a free port, as `npm start` does on its own. */
const start = async () => {
  const child = spawn(process.execPath, ['ops/main.ts', 'start', '0'], { cwd: project });
  atEnd(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (printed += chunk));
  await until('the service', () => child.exitCode !== null || /^curl .*\n/m.test(printed), 300);
  const banner = printed;
  return {
    banner,
    /** The line that a reader pastes into the second terminal. */
    exported: /^export .*$/m.exec(banner)?.[0] ?? '',
    log: () => printed.slice(banner.length),
    stop: async () => {
      child.kill('SIGINT');
      await once(child, 'close');
    },
  };
};

test("README's update gets the response that README shows", async () => {
  const run = await start();
  const [update = ''] =
    /^curl (.*\\\n)*.*$/m.exec(blocksOf(textOf('README.md'), 'sh').join('')) ?? [];
  const [, printed] = await runInShell([run.exported, update.trimEnd()], {});
  await run.stop();
  expect(blocksOf(textOf('README.md'), 'json')).toStrictEqual([`${printed}\n`]);
});

describe.each(tutorials)('$page', ({ started, steps, logged }) => {
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
    const [, ...printed] = await runInShell([run.exported, ...commands], {});
    await run.stop();

    // Each step as the page has it, unless its output differs in more than keys, ids and times.
    expect(asShown(started, run.banner.trimEnd())).toBe(started);
    const seen = steps.map((step, index) => {
      const output = printed[index] ?? 'It did not run.';
      return { ...step, shown: asShown(step.shown, output) };
    });
    expect(seen).toStrictEqual(steps);
    const missing = logged.filter((lines) => !patternOf(lines).test(run.log()));
    // A failure shows the log, too.
    expect({ missing, log: missing.length > 0 ? run.log() : '' }).toStrictEqual({
      missing: [],
      log: '',
    });
  });
});
