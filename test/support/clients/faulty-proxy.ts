import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../http/serve.ts';

/** A request on its way to the service. */
interface Passing {
  /** What the client gets. */
  response: ServerResponse;
  /** Passes the request on, perhaps without one of its headers, and returns the service's response. */
  forward(dropped?: string): Promise<Response>;
}

/** What the proxy does to a request. */
export type Fault = (passing: Passing) => unknown;

const answer = async (response: ServerResponse, from: Response): Promise<void> => {
  const kept = ['content-type', 'etag', 'idempotency-key', 'retry-after'];
  const headers = [...from.headers].filter(([name]) => kept.includes(name));
  response.writeHead(from.status, Object.fromEntries(headers)).end(await from.text());
};

export const pass: Fault = async ({ forward, response }) => answer(response, await forward());

/** Answers as if the service were away, for at least three seconds. */
export const unavailable: Fault = ({ response }) =>
  response.writeHead(503, { 'Retry-After': '3' }).end('<html>');

/** Cuts the connection when the service has answered. */
export const cut: Fault = async ({ forward, response }) => {
  await forward();
  response.destroy();
};

/** Leaves the client waiting when the service has answered. */
export const hold: Fault = ({ forward }) => forward();

/** Lacks the end of the service's response, although the connection ends well. */
export const shorten: Fault = async ({ forward, response }) => {
  const whole = await (await forward()).text();
  response.end(whole.slice(0, -1));
};

/** Drops the key, as a proxy does that passes on only the headers that it knows. */
export const dropKey: Fault = async ({ forward, response }) =>
  answer(response, await forward('idempotency-key'));

/** The headers that the service needs. The others are of the connection. */
const passedOn = ['authorization', 'content-type', 'if-match', 'idempotency-key'];

/** An update, and the status with which the service has answered, if it was asked. */
interface Update {
  key: unknown;
  ifMatch: unknown;
  quantity: number;
  status?: number;
}

/**
 * Serves a proxy in front of the service with this base URL, which does these faults, each to one
 * list or update, and passes everything else on.
 */
export const faultyProxy = async (
  baseUrl: string,
  faults: { lists?: Fault[]; updates?: Fault[] } = {},
) => {
  const { origin } = new URL(baseUrl);
  const toCome: Record<string, Fault[]> = {
    GET: [...(faults.lists ?? [])],
    PATCH: [...(faults.updates ?? [])],
  };
  const updates: Update[] = [];
  const arrivals: number[] = [];
  let isHolding = false;

  const proxy = await serve(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const { 'idempotency-key': key, 'if-match': ifMatch } = headers;
    const update: Update = { key, ifMatch, quantity: body && JSON.parse(body).quantity };
    if (method === 'PATCH') {
      updates.push(update);
      arrivals.push(performance.now());
    }
    const forward: Passing['forward'] = async (dropped) => {
      const names = passedOn.filter((name) => headers[name] && name !== dropped);
      const kept = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
      const from = await fetch(origin + url, { method, headers: kept, body: body || null });
      update.status = from.status;
      return from;
    };
    const fault = toCome[method]?.shift() ?? pass;
    await fault({ response, forward });
    isHolding ||= !response.writableEnded && !response.destroyed;
  });
  return {
    baseUrl: baseUrl.replace(origin, proxy),
    updates,
    /** Returns the seconds between each update and the one before it. */
    waits: () => arrivals.slice(1).map((at, index) => (at - (arrivals[index] ?? at)) / 1_000),
    /** Whether it has left a client waiting. */
    isHolding: () => isHolding,
  };
};
