import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { spawnStart, startRun, temporaryDirectory } from '../../support/local/local-run.ts';
import { ended, outputOf } from '../../support/process/tools.ts';
import { until } from '../../support/process/until.ts';

test('start prints commands to paste, logs a readable line for each request, and what fails, until Ctrl-C', async () => {
  const run = await startRun(['--stage', 'prod']);
  const [exports = '', curl = ''] = ['export', 'curl'].map(
    (name) => new RegExp(`^${name} .*$`, 'm').exec(run.output)?.[0],
  );
  const listed = await outputOf('sh', '-c', curl.replace('curl', 'curl --silent'));
  expect(JSON.parse(listed)).toHaveLength(7);
  const byVariables =
    'curl --silent -H "Authorization: Bearer $PETSTORE_API_KEY" $PETSTORE_BASE_URL/inventory';
  expect(await outputOf('sh', '-c', `${exports}\n${byVariables}`)).toBe(listed);
  await run.sendBare({ path: '/inventory' });
  await until('the 401', () => run.log().includes(' 401 '));
  // An entry that no list can hold.
  await run.tables.client.putItem({
    TableName: run.tables.inventory,
    Item: { petId: { N: '8' } },
  });
  await run.send({ path: '/inventory' });
  await until('the failure', () => / 500 .*"ERROR"/s.test(run.log()));

  // A client is connected, and requests are under way.
  const { port } = new URL(run.baseUrl);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  const updates = Array.from({ length: 20 }, () => run.patch(1, '{"quantity":1}'));
  const settled = Promise.allSettled(updates);
  run.process.kill('SIGINT');
  expect(await once(run.process, 'close')).toStrictEqual([0, null]);
  await settled;
  socket.destroy();
  const lines = run
    .log()
    .replaceAll(/^.* PATCH .*\n/gm, '')
    .replaceAll(/^\d\d:\d\d:\d\d /gm, '')
    .replaceAll(/\d+ ms/g, 'N ms')
    .replaceAll('key 0000000000000000', 'key ID')
    .replaceAll(/^\{.*"errorMessage":"(.*?):.*$/gm, 'Failure: $1');
  expect(lines).toBe(
    'GET /prod/v1/inventory 200 N ms key ID\n'.repeat(2) +
      'GET /prod/v1/inventory 401 unauthorized N ms\n' +
      'GET /prod/v1/inventory 500 internal_error N ms key ID\n' +
      // On standard error.
      'Synthesizing the stack; this takes a few seconds…\n' +
      'Failure: The list cannot include the entry with petId 8\n',
  );
});

test('a run that is ended during the synthesis starts nothing, and leaves nothing behind', async () => {
  const child = spawnStart();
  const ending = ended(child);
  await once(child.stderr as Readable, 'data');
  child.kill('SIGTERM');
  expect(await ending).toStrictEqual({
    code: 0,
    output: '',
    errors: 'Synthesizing the stack; this takes a few seconds…\n',
  });
  const leftBehind = readdirSync(temporaryDirectory).filter((name) => /inventory/.test(name));
  expect(leftBehind).toStrictEqual([]);
});
