import { setTimeout as sleep } from 'node:timers/promises';
import { type Passing as Call, pass } from '../../support/dynamodb-proxy.ts';

type What = (call: Call) => unknown;

/** Where errors have their names from: DynamoDB's own, and those of all services. */
const [dynamodb, coral] = ['com.amazonaws.dynamodb.v20120810#', 'com.amazon.coral.service#'];

const respond =
  (status: number, body: string): What =>
  ({ response }) =>
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(body);

const error = (status: number, __type: string, message: string) => respond(status, JSON.stringify({ __type, message }));

const throttled = (name: string) => error(400, `${dynamodb}${name}`, 'Rate exceeded');

const header =
  (name: string, value: () => string): What =>
  ({ response }) =>
    response.setHeader(name, value());

/** Does one thing after another with a call. */
const inTurn =
  (...steps: What[]): What =>
  async (call) => {
    for (const step of steps) {
      await step(call);
    }
  };

const forward: What = (call) => call.forward();

/** Milliseconds: longer than an attempt. */
export const lateness = 3_000;

/** What had no response is done all the same, after it was tried again. */
const later: What = async (call) => {
  await sleep(lateness, undefined, { ref: false });
  // The engine may have ended by then, and the tests need not wait for it.
  await call.forward().catch(() => {});
};

const reset: What = ({ response }) => response.socket?.resetAndDestroy();

const end: What = ({ response }) => response.socket?.end();

/** Half of the engine's response. */
const half: What = async (call) => {
  const { status, headers, bytes } = await call.forward();
  call.response.writeHead(status, headers).write(bytes.subarray(0, bytes.length / 2));
  await sleep(50);
};

/** Still JSON, but not what the engine wrote. */
const changed =
  (lost?: string): What =>
  async (call) => {
    const { status, headers, bytes } = await call.forward();
    const kept = Object.entries(headers).filter(([name]) => name !== lost);
    call.response.writeHead(status, Object.fromEntries(kept));
    call.response.end(bytes.toString('latin1').replace(/\d/g, '9'), 'latin1');
  };

/** A byte now and then, so that the connection is never silent for long. */
const drip: What = async (call) => {
  const { status, headers, bytes } = await call.forward();
  call.response.writeHead(status, headers);
  for (let index = 0; index < bytes.length && !call.response.destroyed; index++) {
    call.response.write(bytes.subarray(index, index + 1));
    await sleep(700);
  }
};

const dateAhead = (milliseconds: number) => header('Date', () => new Date(Date.now() + milliseconds).toUTCString());

/** An engine whose clock is ahead, and which allows five minutes like DynamoDB. */
const clockAhead =
  (milliseconds: number): What =>
  async (call) => {
    const signed = String(call.headers['x-amz-date']);
    const signedAt = Date.parse(signed.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5'));
    const ahead = Date.now() + milliseconds - signedAt;
    dateAhead(milliseconds)(call);
    const word = ahead > 0 ? 'Signature expired: it' : 'Signature not yet current: it';
    const isAllowed = Math.abs(ahead) < 300_000;
    return (isAllowed ? pass : error(400, `${coral}InvalidSignatureException`, `${word} is of another time.`))(call);
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

const harmless = (what: What): Kind => ({ what, once: 200, forEver: 200 });
const passing = (what: What): Kind => ({ what, once: 200, forEver: 503 });
const lasting = (what: What): Kind => ({ what, once: 500, forEver: 500 });
const silent = (what: What): Kind => ({ ...passing(what), silent: true });
/** The SDK as it comes would not survive it. */
const ours = (kind: Kind): Kind => ({ ...kind, notOnStockSdk: true });

/** Headers by which the SDK lets a service ask for a longer wait. */
const patience = inTurn(
  header('Retry-After', () => '5'),
  header('X-Amz-Retry-After', () => '5000'),
);
const wrongChecksum = header('X-Amz-Crc32', () => '1');
/** The response of DynamoDB where there is no entry. */
const rejection = error(400, `${dynamodb}ConditionalCheckFailedException`, 'The conditional request failed');

export const late = 'silence, and the engine does it later';

/** By what has happened. To add a fault, add a line. */
export const kinds: Record<string, Kind> = {
  ProvisionedThroughputExceededException: passing(throttled('ProvisionedThroughputExceededException')),
  ThrottlingException: passing(throttled('ThrottlingException')),
  RequestLimitExceeded: passing(throttled('RequestLimitExceeded')),
  'a throttling that asks for patience': ours(passing(inTurn(patience, throttled('ThrottlingException')))),
  InternalServerError: passing(error(500, `${dynamodb}InternalServerError`, 'Sorry')),
  'a 503 in HTML': passing(respond(503, '<html>Service Unavailable</html>')),
  AccessDeniedException: lasting(error(400, `${coral}AccessDeniedException`, 'No')),
  ResourceNotFoundException: lasting(error(400, `${dynamodb}ResourceNotFoundException`, 'No table')),
  ValidationException: lasting(error(400, `${coral}ValidationException`, 'Not like this')),
  'an error without a name': lasting(respond(400, '{}')),
  'an error of an hour ahead': lasting(inTurn(dateAhead(3_600_000), respond(400, '{}'))),
  'a rejection that is garbled': ours(passing(inTurn(wrongChecksum, rejection))),
  'an error that is no object': ours(passing(respond(400, 'null'))),
  'a slow response': harmless(inTurn(() => sleep(500), pass)),
  silence: silent(() => {}),
  'silence after the engine has done it': silent(forward),
  [late]: silent(later),
  'a byte now and then': { ...silent(drip), once: 504, forEver: 504 },
  'a reset before the engine has done it': passing(reset),
  'a reset after the engine has done it': passing(inTurn(forward, reset)),
  'half a response and a reset': passing(inTurn(half, reset)),
  'half a response and the end': passing(inTurn(half, end)),
  'half a response and silence': ours(silent(half)),
  'a response with digits changed': ours(passing(changed())),
  'a response with digits changed and no checksum': ours(passing(changed('x-amz-crc32'))),
  'no JSON': ours(passing(respond(200, '<html>Log in</html>'))),
  'an empty response': ours(passing(respond(200, '{}'))),
  'a response of somebody else': ours(passing(respond(200, '{"Item":{},"Attributes":{},"Items":[]}'))),
  'no HTTP': ours(passing(({ response }) => response.socket?.end('nonsense\r\n\r\n'))),
  'a clock an hour ahead': harmless(clockAhead(3_600_000)),
  'a clock an hour behind': harmless(clockAhead(-3_600_000)),
};

/** Cases for npm test, in which one silence stands for all; or the others, for npm run test:slow. */
export type Speed = 'quick' | 'slow';

/** A kind of fault that happens to so many calls in a row. */
export interface Case extends Kind {
  name: string;
  times: number;
  /** What a client is told. */
  expected: number;
}

const often = { once: 1, twice: 2, 'five times': 5, 'for ever': Number.POSITIVE_INFINITY };

export const casesOf = (speed: Speed): Case[] =>
  Object.entries(kinds).flatMap(([kindName, kind]) =>
    Object.entries(often)
      .map(([howOften, times]) => ({
        ...kind,
        name: `${kindName}, ${howOften}`,
        times,
        expected: times < 3 ? kind.once : kind.forEver,
      }))
      // A burst of what takes the whole of the time limit, each time, would take a minute.
      .filter(({ times, forEver }) => times !== 5 || forEver !== 504)
      .filter(({ times, name, silent: isSilent }) => {
        const isQuick = times !== 2 && times !== 5 && (!isSilent || name.startsWith('silence,'));
        return isQuick === (speed === 'quick');
      }),
  );
