import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { inventoryCsv } from '../../support/inventory-csv.ts';
import { ended, type LocalRun, localRun, temporaryDirectory } from '../../support/local-run.ts';
import { ops, opsJson } from '../../support/ops.ts';
import { project } from '../../support/tools.ts';

let run: LocalRun;
beforeAll(async () => {
  run = await localRun();
});

const question = /Remove \{"petId":42,.*\} from staging\? \[y\/N\] /;

test.each(['n\r', '\r', 'yess\r', '\x03', '\x04'])('a question takes %j for a no', async (text) => {
  const before = await inventoryCsv(run);
  const typed = { prompt: question, text };
  const { errors, ...rest } = await ops(['inventory', 'remove', '42', '--local'], { typed });
  expect(rest).toEqual({ code: 7, output: '' });
  expect(errors).toMatch(/petstore: Nothing was changed\.\n$/);
  expect(await inventoryCsv(run)).toBe(before);
});

describe('on a terminal', () => {
  /** Runs a command on a terminal of util-linux's script, and types once the prompt is there. */
  const onTerminal = async (command: string, prompt: RegExp, typed: string) => {
    const program = join(project, 'ops/petstore.cjs');
    const child = spawn('script', ['-qec', `${process.execPath} ${program} ${command} --local`, '/dev/null'], {
      env: { PATH: process.env.PATH, TERM: 'xterm', TMPDIR: temporaryDirectory, HOME: temporaryDirectory },
    });
    let shown = '';
    child.stdout.on('data', (chunk) => {
      const asked = prompt.test(shown);
      shown += chunk;
      if (!asked && prompt.test(shown)) {
        child.stdin.write(typed);
      }
    });
    const { code } = await ended(child);
    return { code, shown };
  };

  test.each([
    ['Ctrl-C is a no', '\x03', 7, '\u001b[31mpetstore:\u001b[39m Nothing was changed.'],
    ['y is a yes', 'y\r', 0, 'Removed {"petId":42,"quantity":9007199254740991,"status":"available"}.'],
  ])('%s', async (_what, typed, code, message) => {
    const shown = expect.stringContaining(message);
    expect(await onTerminal('inventory remove 42', question, typed)).toEqual({ code, shown });
    expect((await inventoryCsv(run)).includes('\n42,')).toBe(code === 7);
  });

  test('a key is typed without being shown, and one that is mistyped too', async () => {
    const { key, id } = (await opsJson('keys', 'create', '--name', 'typed')) as { key: string; id: string };
    const mistyped = createApiKey('staging').replace(/.$/, 'x');
    for (const [typed, code, message] of [
      [key, 0, `Key ${id} ("typed") is active`],
      [mistyped, 3, 'petstore:'],
    ] as const) {
      const { shown, ...rest } = await onTerminal('keys find', /API key \(not shown\): $/, `${typed}\r`);
      expect(rest).toEqual({ code });
      expect(shown).toContain(message);
      expect(shown).not.toMatch(/petstore_[a-z]|[0-9a-f]{17}/);
    }
  });
});
