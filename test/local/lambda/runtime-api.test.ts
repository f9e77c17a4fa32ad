import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { request, type Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { startRuntimeApi } from '../../../local/lambda/runtime-api.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { atEnd } from '../../support/process/at-end.ts';

const runtime = '/2018-06-01/runtime';

const start = async () => {
  const api = await startRuntimeApi();
  // A server that a failed test leaves behind would keep Jest from ending.
  atEnd(() => api.close(ended));
  const url = `http://${api.address}`;
  return {
    ...api,
    url,
    next: () => sendRaw(url, { path: `${runtime}/invocation/next` }),
    post: (path: string, body: string) =>
      sendRaw(url, { method: 'POST', path: `${runtime}/${path}`, body }),
  };
};

const ended = new Error('the process has ended');

// functions.system.ts shows the rest with instances: invocations, results, errors and ends.
test('an instance is idle only once its result has arrived, even if it asks before', async () => {
  const { url, idle, invoke, next, post, close } = await start();
  const asked = next();
  await idle();
  const result = invoke({ requestId: '1', headers: {}, event: '' });
  await asked;
  const posting = request(`${url}${runtime}/invocation/1/response`, { method: 'POST' });
  posting.write('"begun');
  await result;

  let isIdle = false;
  const becomingIdle = idle().then(() => {
    isIdle = true;
  });
  const askedAgain = next().catch(() => {});
  // By the time that another request has its response, this one has arrived.
  await post('nothing', '');
  await setImmediate();
  expect(isIdle).toBe(false);
  posting.end('"');
  await becomingIdle;
  close(ended);
  await askedAgain;
});

// Node would cut a result that takes more than five minutes, and a connection that is idle for five
// seconds.
test('results may stream, and instances may be idle, as long as they like', async () => {
  const servers: Server[] = [];
  const create = (message: unknown) => void servers.push((message as { server: Server }).server);
  subscribe('http.server.request.start', create);
  const { post, close } = await start();
  await post('init/error', '{}');
  unsubscribe('http.server.request.start', create);
  close(ended);
  expect(servers).toMatchObject([{ requestTimeout: 0, keepAliveTimeout: 0 }]);
});
