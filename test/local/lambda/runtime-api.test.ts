import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { startRuntimeApi } from '../../../local/lambda/runtime-api.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { atEnd } from '../../support/process/at-end.ts';

const ended = new Error('the process has ended');

const start = async () => {
  const api = await startRuntimeApi();
  // A server that a failed test leaves behind would keep Jest from ending.
  atEnd(() => api.close(ended));
  const url = `http://${api.address}/2018-06-01/runtime`;
  return {
    ...api,
    url,
    next: () => sendRaw(url, { path: '/invocation/next' }),
    post: (path: string, body: string) => sendRaw(url, { method: 'POST', path, body }),
  };
};

// functions.system.ts shows the rest with instances: invocations, results, errors and ends.
test('an instance is idle only once its result has arrived, even if it asks before', async () => {
  const { url, idle, invoke, next, post, close } = await start();
  const asked = next();
  await idle();
  const result = invoke({ requestId: '1', headers: {}, event: '' });
  await asked;
  const posting = request(`${url}/invocation/1/response`, { method: 'POST' });
  posting.write('"begun');
  await result;

  const becomingIdle = idle().then(() => 'idle');
  const askedAgain = next().catch(() => {});
  // By the time that another request has its response, this one has arrived.
  await post('/nothing', '');
  expect(await Promise.race([becomingIdle, setImmediate('busy')])).toBe('busy');
  posting.end('"');
  expect(await becomingIdle).toBe('idle');
  close(ended);
  await askedAgain;
});

// Node would cut a result that takes more than five minutes, and a connection that is idle for five
// seconds.
test('results may stream, and instances may be idle, as long as they like', async () => {
  const requests: unknown[] = [];
  const note = (request: unknown) => void requests.push(request);
  subscribe('http.server.request.start', note);
  const { post } = await start();
  await post('/nothing', '');
  unsubscribe('http.server.request.start', note);
  expect(requests).toMatchObject([{ server: { requestTimeout: 0, keepAliveTimeout: 0 } }]);
});
