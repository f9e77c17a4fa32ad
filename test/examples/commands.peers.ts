import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { type LocalRun, localRun } from '../support/local/local-run.ts';
import { ended, outputOf } from '../support/process/tools.ts';
import { trackedFiles } from '../support/process/tracked-files.ts';

/** The commands of each section of examples/README.md, which is one language. */
const sections = readFileSync('examples/README.md', 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [, commands = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(section) ?? [];
    return { language: section.split('\n')[0], commands };
  });

/** A copy of what the examples need, without what other tests install there meanwhile. */
const directory = mkdtempSync(join(tmpdir(), 'examples-'));
let run: LocalRun;

beforeAll(async () => {
  for (const file of trackedFiles(/^(examples\/|openapi\.yaml)/)) {
    cpSync(file, join(directory, file));
  }
  await outputOf('python3', '-m', 'venv', join(directory, 'python'));
  run = await localRun();
});

// The page has the line that `npm start` prints.
test.each(sections)(
  "$language's commands in examples/README.md set a quantity",
  async ({ commands }) => {
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      PATH: [join(directory, 'python/bin'), process.env.PATH].join(delimiter),
    };
    const [exported = ''] = /^export PETSTORE_.*$/m.exec(run.output) ?? [];
    const { code, output, errors } = await ended(
      spawn('sh', ['-e', '-c', `${exported}\n${commands}`], { cwd: directory, env }),
    );
    expect(code === 0 ? '' : output + errors).toBe('');
    expect(output).toMatch(/\{"petId": ?9007199254740993, ?"quantity": ?7,/);
  },
);
