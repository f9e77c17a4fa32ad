import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { issueApiKey } from '../../../ops/keys/api-keys.ts';
import { localRun, startRun, temporaryDirectory } from '../../support/local/local-run.ts';
import { tablesIn } from '../../support/ops/data-directory.ts';
import { outputOf } from '../../support/process/tools.ts';
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
    .replaceAll(/key [0-9a-f]{16}$/gm, 'key ID')
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

test('with --data, a run that is killed loses no confirmed update, and the sample is not loaded again', async () => {
  const data = join(temporaryDirectory, 'killed');
  const apiKey = createApiKey('staging');
  {
    await using tables = await tablesIn(data);
    await issueApiKey(tables.apiKeys, {
      stageName: 'staging',
      name: 'of an earlier start',
      apiKey,
    });
    await tables.put('1', '12');
    await tables.put('2', '77');
  }
  const run = await localRun('--data', data, '--api-key', apiKey);
  await Promise.all(Array.from({ length: 100 }, (_, n) => run.patch(2, `{"quantity":${n}}`)));
  await run.patch(2, '{"quantity":7}');
  expect((await run.patch(1, '{"quantity":4321}')).status).toBe(200);
  run.process.kill('SIGKILL');
  await once(run.process, 'exit');

  await using tables = await tablesIn(data);
  // Nothing of the sample, either: this was not the first start.
  expect(await tables.stock()).toStrictEqual({ 1: '4321', 2: '7' });
});
