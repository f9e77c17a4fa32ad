import { setTimeout as sleep } from 'node:timers/promises';
import { clockAhead, dateAhead, respondWithError as error, respond, type Script } from '../../support/dynamodb.ts';
import { pass } from '../../support/dynamodb-proxy.ts';

/** A response of somebody else than DynamoDB, which has no checksum. */
const foreign =
  (body: string, status = 200): Script =>
  ({ response }) =>
    response.writeHead(status).end(body);

const forward: Script = (call) => call.forward();

const reset: Script = ({ response }) => response.socket?.resetAndDestroy();

/** Done all the same, after it was tried again. The engine may have ended by then, and no test waits for it. */
const later: Script = async (call) => {
  await sleep(3_000, undefined, { ref: false });
  await call.forward().catch(() => {});
};

/** Half of the engine's response, and then this. */
const half =
  (then: Script): Script =>
  async (call) => {
    const { status, headers, bytes } = await call.forward();
    call.response.writeHead(status, headers).write(bytes.subarray(0, bytes.length / 2));
    await sleep(50);
    return then(call);
  };

/** Still JSON, but not what the engine wrote; and without one of its headers. */
const changed =
  (lost?: string): Script =>
  async ({ forward, response }) => {
    const { status, headers, bytes } = await forward();
    const kept = Object.entries(headers).filter(([name]) => name !== lost);
    response.writeHead(status, Object.fromEntries(kept));
    response.end(bytes.toString('latin1').replace(/\d/g, '9'), 'latin1');
  };

/** A byte now and then, so that the connection is never silent for long. */
const drip: Script = async ({ forward, response }) => {
  const { status, headers, bytes } = await forward();
  response.writeHead(status, headers);
  for (let index = 0; index < bytes.length && !response.destroyed; index++) {
    response.write(bytes.subarray(index, index + 1));
    await sleep(700);
  }
};

/** What comes of a fault. */
interface Effect {
  what: Script;
  /** What a client is told when it happens to one call: 200 where another attempt makes up for it. */
  once: number;
  /** What it is told as long as it happens to every call. */
  forEver: number;
  /** Whether the SDK as it comes would fail, or fail later: what functions/dynamodb makes up for. */
  notOnStockSdk?: boolean;
  /** Whether it makes a client wait for a time limit. */
  silent?: boolean;
}

const harmless = (what: Script): Effect => ({ what, once: 200, forEver: 200 });
const passing = (what: Script): Effect => ({ what, once: 200, forEver: 503 });
const lasting = (what: Script): Effect => ({ what, once: 500, forEver: 500 });
const silent = (what: Script): Effect => ({ ...passing(what), silent: true });
/** The SDK as it comes would not survive it. */
const ours = (effect: Effect): Effect => ({ ...effect, notOnStockSdk: true });

/** Headers by which the SDK lets a service ask for a longer wait. */
const patience = { 'Retry-After': '5', 'X-Amz-Retry-After': '5000' };
/** The response of DynamoDB where there is no entry. */
const rejection = 'ConditionalCheckFailedException';

/** To add a fault, add a line. */
const effects: Record<string, Effect> = {
  ProvisionedThroughputExceededException: passing(error(400, 'ProvisionedThroughputExceededException')),
  ThrottlingException: passing(error(400, 'ThrottlingException')),
  RequestLimitExceeded: passing(error(400, 'RequestLimitExceeded')),
  'a throttling that asks for patience': ours(passing(error(400, 'ThrottlingException', patience))),
  InternalServerError: passing(error(500, 'InternalServerError')),
  'a 503 in HTML': passing(foreign('<html>Service Unavailable</html>', 503)),
  AccessDeniedException: lasting(error(400, 'AccessDeniedException')),
  ResourceNotFoundException: lasting(error(400, 'ResourceNotFoundException')),
  ValidationException: lasting(error(400, 'ValidationException')),
  'an error without a name': lasting(foreign('{}', 400)),
  'an error of an hour ahead': lasting((call) => respond(400, '{}', dateAhead(3_600_000))(call)),
  'a rejection that is garbled': ours(passing(error(400, rejection, { 'x-amz-crc32': '1' }))),
  'an error that is no object': ours(passing(respond(400, 'null'))),
  'a slow response': harmless((call) => sleep(500).then(() => pass(call))),
  silence: silent(() => {}),
  'silence after the engine has done it': silent(forward),
  'silence, and the engine does it later': silent(later),
  'a byte now and then': { ...silent(drip), once: 504, forEver: 504 },
  'a reset before the engine has done it': passing(reset),
  'a reset after the engine has done it': passing((call) => call.forward().then(() => reset(call))),
  'half a response and a reset': passing(half(reset)),
  'half a response and the end': passing(half(({ response }) => response.socket?.end())),
  'half a response and silence': ours(silent(half(() => {}))),
  'a response with digits changed': ours(passing(changed())),
  'a response with digits changed and no checksum': ours(passing(changed('x-amz-crc32'))),
  'no JSON': ours(passing(foreign('<html>Log in</html>'))),
  'an empty response': ours(passing(foreign('{}'))),
  'a response of somebody else': ours(passing(foreign('{"Item":{},"Attributes":{},"Items":[]}'))),
  'no HTTP': ours(passing(({ response }) => response.socket?.end('nonsense\r\n\r\n'))),
  'a clock an hour ahead': harmless(clockAhead(3_600_000, pass)),
  'a clock an hour behind': harmless(clockAhead(-3_600_000, pass)),
};

export const kinds = Object.entries(effects).map(([name, effect]) => ({ name, ...effect }));

export type Kind = (typeof kinds)[number];
