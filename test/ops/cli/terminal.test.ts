import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { inventoryCsv } from '../../support/inventory-csv.ts';
import { ended, type LocalRun, localRun, temporaryDirectory } from '../../support/local-run.ts';
import { ops, opsJson } from '../../support/ops.ts';

describe('petstore on a terminal', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  /** Runs a command on a terminal of util-linux's script, and types once the prompt is there. */
  const onTerminal = async (command: string, prompt: RegExp, typed: string) => {
    const program = join(import.meta.dirname, '../../../ops/petstore.cjs');
    const child = spawn('script', ['-qec', `${process.execPath} ${program} ${command} --local`, '/dev/null'], {
      env: { PATH: process.env.PATH, TERM: 'xterm', TMPDIR: temporaryDirectory, HOME: temporaryDirectory },
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      const asked = prompt.test(output);
      output += chunk;
      if (!asked && prompt.test(output)) {
        child.stdin.write(typed);
      }
    });
    const { code } = await ended(child);
    return { code, output };
  };

  const question = /Remove \{"petId":42,.*\} from staging\? \[y\/N\] /;

  test.each(['n\r', '\r', 'yess\r', '\x03', '\x04'])('a question takes %j for a no', async (typed) => {
    const before = await inventoryCsv(run);
    const { code, output, errors } = await ops(['inventory', 'remove', '42', '--local'], {
      typed: { prompt: question, text: typed },
    });
    expect({ code, output }).toEqual({ code: 7, output: '' });
    expect(errors).toMatch(/petstore: Nothing was changed\.\n$/);
    expect(await inventoryCsv(run)).toBe(before);
  });

  test('a question that nobody can see is a no', async () => {
    const { code, errors } = await ops(['inventory', 'remove', '1', '--local'], { input: 'y\n' });
    expect(code).toBe(7);
    expect(errors).toMatch(
      /petstore: Remove \{"petId":1,.*\} from staging\?\nThere is no terminal to ask on. Confirm with --yes\.\n$/,
    );
  });

  test('Ctrl-C at a question changes nothing', async () => {
    const { code, output } = await onTerminal('inventory remove 42', question, '\x03');
    expect(code).toBe(7);
    expect(output).toContain('\u001b[31mpetstore:\u001b[39m Nothing was changed.');
  });

  test('y is a yes', async () => {
    const { code, output } = await onTerminal('inventory remove 42', question, 'y\r');
    expect(code).toBe(0);
    expect(output).toContain('Removed {"petId":42,"quantity":9007199254740991,"status":"available"}.');
    expect(await inventoryCsv(run)).not.toContain('\n42,');
  });

  test('a key is typed without being shown', async () => {
    const { key, id } = (await opsJson('keys', 'create', '--name', 'typed')) as { key: string; id: string };
    const { code, output } = await onTerminal('keys find', /API key \(not shown\): $/, `${key}\r`);
    expect(code).toBe(0);
    expect(output).toContain(`Key ${id} ("typed") is active, without end.`);
    expect(output).not.toMatch(/petstore_|[0-9a-f]{17}/);
  });

  test('a key that is mistyped is not shown either', async () => {
    const key = createApiKey('staging').replace(/.$/, 'x');
    const { code, output } = await onTerminal('keys find', /API key \(not shown\): $/, `${key}\r`);
    expect(code).toBe(3);
    expect(output).not.toMatch(/petstore_[a-z]|[0-9a-f]{17}/);
  });
});
