import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, type Fault, pass } from './fault-proxy.ts';

type What = Fault['what'];

const json = { 'Content-Type': 'application/x-amz-json-1.0' };

const error =
  (status: number, type: string, message: string): What =>
  ({ response }) =>
    response.writeHead(status, json).end(JSON.stringify({ __type: type, message }));

/** Where errors have their names from: DynamoDB's own, and those of all services. */
const [dynamodb, coral] = ['com.amazonaws.dynamodb.v20120810#', 'com.amazon.coral.service#'];

/** Headers by which the SDK lets a service ask for a longer wait. */
const patience: What = ({ response }) => response.setHeader('Retry-After', '5').setHeader('X-Amz-Retry-After', '5000');

const wrongChecksum: What = ({ response }) => response.setHeader('X-Amz-Crc32', '1');

/** The response of DynamoDB where there is no entry. */
const rejection = error(400, `${dynamodb}ConditionalCheckFailedException`, 'The conditional request failed');

const throttled = (name: string): What => error(400, `${dynamodb}${name}`, 'Rate exceeded');

const respond =
  (status: number, body: string): What =>
  ({ response }) =>
    response.writeHead(status, json).end(body);

/** Does one thing after another with a call. */
const inTurn =
  (...steps: What[]): What =>
  async (call) => {
    for (const step of steps) {
      await step(call);
    }
  };

const wait =
  (milliseconds: number): What =>
  () =>
    sleep(milliseconds);

const forward: What = (call) => call.forward();

/** Milliseconds: longer than an attempt. */
export const lateness = 3_000;

/** What had no response is done all the same, after it was tried again. */
const later: What = async ({ forward: ask }) => {
  await sleep(lateness, undefined, { ref: false });
  // The engine may have ended by then, and the tests need not wait for it.
  await ask().catch(() => {});
};

const reset = ({ response }: Call) => response.socket?.resetAndDestroy();

/** Half of the engine's response. */
const half = async ({ response, forward: ask }: Call) => {
  const { status, headers, body } = await ask();
  response.writeHead(status, headers).write(body.subarray(0, body.length / 2));
  await sleep(50);
};

/** Still JSON, but not what the engine wrote. */
const changed =
  (lost: string[]): What =>
  async ({ response, forward: ask }) => {
    const { status, headers, body } = await ask();
    const nine = body.toString('latin1').replace(/\d/g, '9');
    const kept = Object.entries(headers).filter(([name]) => !lost.includes(name));
    response.writeHead(status, Object.fromEntries(kept)).end(nine, 'latin1');
  };

/** A byte now and then, so that the connection is never silent for long. */
const drip = async ({ response, forward: ask }: Call) => {
  const { status, headers, body } = await ask();
  response.writeHead(status, headers);
  for (const byte of body) {
    if (response.destroyed) {
      return;
    }
    response.write(Buffer.of(byte));
    await sleep(700);
  }
};

const dateAhead =
  (milliseconds: number): What =>
  ({ response }) =>
    response.setHeader('Date', new Date(Date.now() + milliseconds).toUTCString());

/** An engine whose clock is ahead, and which allows five minutes like DynamoDB. */
const clockAhead =
  (milliseconds: number): What =>
  async (call) => {
    const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(String(call.headers['x-amz-date'])) ?? [];
    const signedAt = Date.parse(`${day}T${time}Z`.replace(/(....)(..)(..)T(..)(..)(..)/, '$1-$2-$3T$4:$5:$6'));
    const now = Date.now() + milliseconds;
    dateAhead(milliseconds)(call);
    if (Math.abs(now - signedAt) < 300_000) {
      return pass(call);
    }
    const word = signedAt < now ? 'Signature expired: it' : 'Signature not yet current: it';
    return error(400, `${coral}InvalidSignatureException`, `${word} is of another time.`)(call);
  };

/** What may happen to a call. */
export interface Kind {
  what: What;
  /** What a client is told when it happens to one call: 200 where another attempt makes up for it. */
  once: number;
  /** What it is told as long as it happens to every call. */
  forEver: number;
  /** Whether the SDK as it comes would fail, or fail later: what functions/dynamodb makes up for. */
  notOnStockSdk?: boolean;
  /** Whether it makes a client wait for a time limit. */
  silent?: boolean;
}

/** A kind of fault that happens to so many calls in a row. */
export interface Case extends Kind {
  name: string;
  times: number;
  /** What a client is told. */
  expected: number;
}

const passing = { once: 200, forEver: 503 };
const harmless = { once: 200, forEver: 200 };
const lasting = { once: 500, forEver: 500 };
const endless = { once: 504, forEver: 504 };

const end: What = ({ response }) => response.socket?.end();

export const late = 'silence, and the engine does it later';

/** By what has happened. To add a fault, add a line. */
export const kinds: Record<string, Kind> = {
  ProvisionedThroughputExceededException: { what: throttled('ProvisionedThroughputExceededException'), ...passing },
  ThrottlingException: { what: throttled('ThrottlingException'), ...passing },
  RequestLimitExceeded: { what: throttled('RequestLimitExceeded'), ...passing },
  'a throttling that asks for patience': {
    notOnStockSdk: true,
    what: inTurn(patience, throttled('ThrottlingException')),
    ...passing,
  },
  InternalServerError: { what: error(500, `${dynamodb}InternalServerError`, 'Sorry'), ...passing },
  'a 503 in HTML': { what: respond(503, '<html>Service Unavailable</html>'), ...passing },
  AccessDeniedException: { what: error(400, `${coral}AccessDeniedException`, 'No'), ...lasting },
  ResourceNotFoundException: { what: error(400, `${dynamodb}ResourceNotFoundException`, 'No table'), ...lasting },
  ValidationException: { what: error(400, `${coral}ValidationException`, 'Not like this'), ...lasting },
  'an error without a name': { what: respond(400, '{}'), ...lasting },
  'an error of an hour ahead': { what: inTurn(dateAhead(3_600_000), respond(400, '{}')), ...lasting },
  'a rejection that is garbled': { notOnStockSdk: true, what: inTurn(wrongChecksum, rejection), ...passing },
  'an error that is no object': { notOnStockSdk: true, what: respond(400, 'null'), ...passing },
  'a slow response': { what: inTurn(wait(500), pass), ...harmless },
  silence: { silent: true, what: () => {}, ...passing },
  'silence after the engine has done it': { silent: true, what: forward, ...passing },
  [late]: { silent: true, what: later, ...passing },
  'a byte now and then': { silent: true, what: drip, ...endless },
  'a reset before the engine has done it': { what: reset, ...passing },
  'a reset after the engine has done it': { what: inTurn(forward, reset), ...passing },
  'half a response and a reset': { what: inTurn(half, reset), ...passing },
  'half a response and the end': { what: inTurn(half, end), ...passing },
  'half a response and silence': { notOnStockSdk: true, silent: true, what: half, ...passing },
  'a response with digits changed': { notOnStockSdk: true, what: changed([]), ...passing },
  'a response with digits changed and no checksum': { notOnStockSdk: true, what: changed(['x-amz-crc32']), ...passing },
  'no JSON': { notOnStockSdk: true, what: respond(200, '<html>Log in</html>'), ...passing },
  'an empty response': { notOnStockSdk: true, what: respond(200, '{}'), ...passing },
  'a response of somebody else': {
    notOnStockSdk: true,
    what: respond(200, '{"Item":{},"Attributes":{},"Items":[]}'),
    ...passing,
  },
  'no HTTP': { notOnStockSdk: true, what: ({ response }) => response.socket?.end('nonsense\r\n\r\n'), ...passing },
  'a clock an hour ahead': { what: clockAhead(3_600_000), ...harmless },
  'a clock an hour behind': { what: clockAhead(-3_600_000), ...harmless },
};

const often = { once: 1, twice: 2, 'five times': 5, 'for ever': Number.POSITIVE_INFINITY };

const cases: Case[] = Object.entries(kinds).flatMap(([name, kind]) =>
  Object.entries(often)
    // A burst of what takes the whole of the time limit, each time, would take a minute.
    .filter(([, times]) => times !== 5 || kind.forEver !== 504)
    .map(([howOften, times]) => ({
      ...kind,
      name: `${name}, ${howOften}`,
      times,
      expected: times < 3 ? kind.once : kind.forEver,
    })),
);

/** Those that wear off, and those that last. */
export type Cases = Record<'wearingOff' | 'lasting', Case[]>;

/** Cases for npm test, in which one silence stands for all; or the others, for npm run test:slow. */
export const casesOf = (speed: 'quick' | 'slow'): Cases => {
  const isQuick = ({ name, silent = false, times }: Case) =>
    (times === 1 || times === often['for ever']) && (!silent || name.startsWith('silence,'));
  const chosen = cases.filter((one) => isQuick(one) === (speed === 'quick'));
  return {
    wearingOff: chosen.filter(({ times }) => times < 3),
    lasting: chosen.filter(({ times }) => times >= 3),
  };
};
