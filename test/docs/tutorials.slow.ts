import { describe, expect, test } from '@jest/globals';
import { asShown, patternOf, runInShell, stepsOf } from '../support/docs/console.ts';
import { blocksOf, pages, textOf } from '../support/docs/markdown.ts';
import { localRun, temporaryDirectory } from '../support/local/local-run.ts';

/** The pages whose first command is `npm start`. The others run beside it, in a second terminal. */
const tutorials = pages
  .map((page) => {
    const [start, ...steps] = stepsOf(textOf(page));
    return { page, start, steps, logged: blocksOf(textOf(page), 'text') };
  })
  .filter(({ start }) => start?.command === 'npm start');

test('there are tutorials', () => expect(tutorials).not.toEqual([]));

describe.each(tutorials)('$page', ({ start, steps, logged }) => {
  test('its commands print what it shows, in a second terminal beside npm start', async () => {
    const run = await localRun('--log-format', 'text');
    const origin = new URL(run.baseUrl).origin;
    const commands = steps.map(({ command }) =>
      command
        .replaceAll('http://127.0.0.1:3000', origin)
        .replaceAll(/petstore_staging_[0-9a-f]+…/g, run.apiKey),
    );
    const printed = await runInShell(commands, { TMPDIR: temporaryDirectory });
    // Commands with --local find the run, and would have to choose if there were a second one.
    await run.stop();

    expect(asShown(start?.shown ?? '', run.output.trimEnd())).toBe(start?.shown);
    const seen = steps.map(({ command, shown }, index) => ({
      command,
      shown: asShown(shown, printed[index] ?? 'It did not run.'),
    }));
    expect(seen).toEqual(steps);
    for (const lines of logged) {
      expect(run.log()).toMatch(patternOf(lines));
    }
  });
});
