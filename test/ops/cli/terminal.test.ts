import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dynamodbProxy } from '../../support/dynamodb-proxy.ts';
import { awsAround } from '../../support/fake-aws.ts';
import { ended, type LocalRun, localRun, temporaryDirectory } from '../../support/local-run.ts';
import { ops } from '../../support/ops.ts';
import { fileWith, inventoryCsv } from '../../support/ops-inventory.ts';

describe('ops on a terminal', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  /** Runs a command on a terminal of util-linux's script, and types once the prompt is there. */
  const onTerminal = async (command: string, prompt: RegExp, typed: string) => {
    const program = join(import.meta.dirname, '../../../ops/ops.ts');
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

  const question = /Remove petId 42 \(quantity 9007199254740991, available\) from staging\? \[y\/N\] /;

  test.each(['n\r', '\r', 'yess\r', '\x03', '\x04'])('remove takes %j for a no', async (answer) => {
    const before = await inventoryCsv(run);
    const { code, output } = await onTerminal('inventory remove 42', question, answer);
    expect(code).toBe(7);
    expect(output).toContain('ops: Nothing was changed.');
    expect(await inventoryCsv(run)).toBe(before);
  });

  test('remove takes y for a yes', async () => {
    const { code, output } = await onTerminal('inventory remove 42', question, 'y\r');
    expect(code).toBe(0);
    expect(output).toContain('Removed petId 42 (quantity 9007199254740991, available).');
    expect(await inventoryCsv(run)).not.toContain('\n42,');
  });

  test('import shows a bar with rate and time left, and stops in order at Ctrl-C', async () => {
    const rows = Array.from({ length: 5_000 }, (_value, i) => `${i + 1_000},1,sold\n`).join('');
    const file = fileWith(`petId,quantity,status\n${rows}`);
    const bar = /\r\[#*-*\] \d+ %, Wrote [\d,]+ entries, [\d,]+\/s, \d+ (s|min) left/;
    const { code, output } = await onTerminal(`inventory import ${file}`, bar, '\x03');
    expect(output).toMatch(bar);
    expect(code).toBe(130);
    expect(output).toContain(`ops: Interrupted. Resume: npm run ops -- inventory resume ${file}.import`);

    const resumed = await onTerminal(`inventory resume ${file}.import`, /never/, '');
    expect(resumed.code).toBe(0);
    expect(resumed.output).toContain('5,000 read: 5,000 created.');
  });

  test('without a terminal, import tells how far it is in plain lines', async () => {
    const proxy = await dynamodbProxy(run.tables.endpoint, async ({ operation, forward }) => {
      if (operation === 'PutItem') {
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      return forward();
    });
    const aws = await awsAround(run);
    const rows = Array.from({ length: 1_000 }, (_value, i) => `{"petId":${i + 90_000},"quantity":1,"status":"sold"}\n`);
    const { code, errors } = await ops(['inventory', 'import', fileWith(rows.join('')), '--stage', 'staging'], {
      env: { ...aws.environment, AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint },
    });
    proxy.close();
    await aws.close();
    expect(code).toBe(0);
    expect(errors).toMatch(
      /^Stage: .*\nChecked 1,000 entries, [\d,]+\/s\n(\d+ %, Wrote [\d,]+ entries, [\d,]+\/s, \d+ s left\n)+Wrote 1,000 entries, [\d,]+\/s\n$/,
    );
  });
});
