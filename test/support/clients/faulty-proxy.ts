import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../http/serve.ts';

interface Passing {
  response: ServerResponse;
  /** Passes the request on, and returns the service's response. */
  forward(): Promise<Response>;
}

type Fault = (passing: Passing) => unknown;

/** Passes a response on as a proxy that compresses does: its ETag is weak. */
const pass = async (response: ServerResponse, from: Response): Promise<void> => {
  const etag = from.headers.get('ETag');
  const key = from.headers.get('Idempotency-Key');
  const headers = {
    'Content-Type': 'application/json',
    ...(etag && { ETag: `W/${etag}` }),
    ...(key && { 'Idempotency-Key': key }),
  };
  response.writeHead(from.status, headers).end(await from.text());
};

const answer = (response: ServerResponse, status: number, headers = {}): unknown =>
  response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end('<html>');

const answerAsService = (response: ServerResponse, status: number, code: string): unknown =>
  response.writeHead(status).end(JSON.stringify({ code, message: 'x', status }));

/** What proxies do to updates, beside passing them on. */
const faults: Fault[] = [
  // Before the service has the request.
  ({ response }) => response.destroy(),
  ({ response }) => answer(response, 408),
  ({ response }) => answer(response, 429, { 'Retry-After': '1' }),
  ({ response }) => answer(response, 502),
  ({ response }) => answerAsService(response, 503, 'service_unavailable'),
  ({ response }) => response.writeHead(200).end('{"message":"Service under maintenance"}'),

  // When the service has answered.
  ({ response, forward }) => forward().then(() => response.destroy()),
  ({ response, forward }) => forward().then(() => answer(response, 502)),
  // Envoy, and so most service meshes.
  ({ response, forward }) => forward().then(() => answer(response, 503)),
  ({ response, forward }) => forward().then(() => answer(response, 504)),
  ({ response, forward }) => forward().then(() => response.writeHead(200).end('{}')),
  ({ response, forward }) =>
    forward().then(() => answerAsService(response, 500, 'outcome_unknown')),
  ({ response, forward }) => forward().then(() => answerAsService(response, 502, 'bad_gateway')),
  ({ response, forward }) =>
    forward().then(() => answerAsService(response, 504, 'gateway_timeout')),
  ({ response, forward }) =>
    forward().then(() => response.writeHead(200).write('{"petId', () => response.destroy())),

  // It repeats the request by itself, at once or when nobody waits any more.
  ({ response, forward }) =>
    forward()
      .then(forward)
      .then((from) => pass(response, from)),
  async ({ response, forward }) => {
    answer(response, 504);
    await sleep(1_500);
    await forward();
  },
];

/** The headers that a service needs. The others are of the connection. */
const passedOn = ['authorization', 'content-type', 'if-match', 'idempotency-key'];

/**
 * Serves a proxy in front of the service with this base URL. It does one of the faults to every
 * other update, each in turn, and passes everything else on.
 */
export const faultyProxy = async (baseUrl: string) => {
  const { origin } = new URL(baseUrl);
  const underWay: Promise<unknown>[] = [];
  let updates = 0;
  const nextFault = (): Fault | undefined => {
    updates += 1;
    return updates % 2 === 1 ? faults[(updates >> 1) % faults.length] : undefined;
  };

  const proxy = await serve(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const given = await text(request);
    const body = given === '' ? null : given;
    const kept = passedOn.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []));
    const forward = () => fetch(origin + url, { method, headers: Object.fromEntries(kept), body });
    const fault = method === 'PATCH' ? nextFault() : undefined;
    const work = fault
      ? Promise.resolve(fault({ response, forward }))
      : forward().then((from) => pass(response, from));
    underWay.push(work);
    // A failure of it is that of settled().
    work.catch(() => response.destroy());
  });
  return {
    baseUrl: baseUrl.replace(origin, proxy),
    /** Waits until everything is delivered. Returns whether each fault has happened. */
    settled: async (): Promise<boolean> => {
      await Promise.all(underWay);
      return Math.ceil(updates / 2) >= faults.length;
    },
  };
};
