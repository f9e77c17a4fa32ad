import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Program, runClient } from '../support/clients/program.ts';
import { failure, list, scriptedService } from '../support/clients/scripted-service.ts';
import {
  testEnvironmentProxy,
  testSetQuantityExample,
} from '../support/clients/set-quantity-example.ts';

const program: Program = ['sh', 'examples/curl/set-quantity.sh'];

testSetQuantityExample(async () => program);

testEnvironmentProxy();

/** Returns a PATH whose pauses take no time, and whose clock is then ahead by some seconds. */
const jumpingPath = (seconds: number): string => {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'));
  const jumped = join(folder, 'jumped');
  const mode = 0o755;
  writeFileSync(join(folder, 'sleep'), `#!/bin/sh\n: >'${jumped}'\n`, { mode });
  const ahead = `$(($(/bin/date +%s) + ${seconds}))`;
  const date = `#!/bin/sh\nif [ -e '${jumped}' ]; then echo ${ahead}; else /bin/date +%s; fi\n`;
  writeFileSync(join(folder, 'date'), date, { mode });
  return [folder, process.env.PATH].join(delimiter);
};

test.each([
  { what: 'set back, after pauses of five minutes', seconds: -3600, updates: 3 },
  { what: 'five minutes further', seconds: 300, updates: 1 },
])('sends no update again once its clock is $what', async ({ seconds, updates }) => {
  const replies = Array(9).fill(failure(503, { 'Retry-After': '100' }));
  const { baseUrl, keys } = await scriptedService([list, ...replies]);
  const target = { baseUrl, apiKey: 'key', env: { PATH: jumpingPath(seconds) } };
  const end = await runClient(program, target, '1', '5', '"12-available"');
  expect({ ...end, keys: keys() }).toStrictEqual({
    code: 1,
    output: '',
    errors: expect.stringMatching(/^It may have been applied: .* responded with 503: .*\n$/),
    keys: Array(updates).fill(1),
  });
});
