import { once } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import {
  clockAhead,
  dateAhead,
  respondWithError as error,
  respond,
  type Script,
} from './dynamodb.ts';
import { pass } from './dynamodb-proxy.ts';

/** Sends a response that is not DynamoDB's and has no checksum. */
const foreign =
  (body: string, status = 200): Script =>
  ({ response }) =>
    response.writeHead(status).end(body);

const reset: Script = ({ response }) => response.socket?.resetAndDestroy();

/**
 * Forwards the call 3 s later, after its retry. No test waits for it, and the engine may have
 * stopped by then.
 */
const later: Script = async (call) => {
  await sleep(3_000, undefined, { ref: false });
  await call.forward().catch(() => {});
};

/** Sends half of the engine's response, and runs another script when that has left. */
const half =
  (then: Script): Script =>
  async (call) => {
    const { status, headers, bytes } = await call.forward();
    const response = call.response.writeHead(status, headers);
    const firstHalf = bytes.subarray(0, bytes.length / 2);
    // Node drops the callback of a write to a connection that is just being closed.
    await Promise.race([
      new Promise((sent) => response.write(firstHalf, sent)),
      once(response, 'close'),
    ]);
    // A client in this process reads it in these turns.
    await setImmediate();
    await setImmediate();
    return then(call);
  };

/**
 * Sends the engine's response with every digit changed to 9, which is still JSON, without the
 * header `lost`.
 */
const changed =
  (lost?: string): Script =>
  async ({ forward, response }) => {
    const { status, headers, bytes } = await forward();
    const kept = Object.entries(headers).filter(([name]) => name !== lost);
    response.writeHead(status, Object.fromEntries(kept));
    response.end(bytes.toString('latin1').replace(/\d/g, '9'), 'latin1');
  };

/** Sends the response at a byte every 700 ms, so that the connection is never silent for long. */
const drip: Script = async ({ forward, response }) => {
  const { status, headers, bytes } = await forward();
  response.writeHead(status, headers);
  for (let index = 0; index < bytes.length && !response.destroyed; index++) {
    response.write(bytes.subarray(index, index + 1));
    await sleep(700);
  }
};

/** A fault, and how it affects a client. */
export interface Kind {
  name: string;
  what: Script;
  /** The status that a client gets if the fault happens once. 200 if a retry then succeeds. */
  once: number;
  /** The status that a client gets while the fault happens to every call. */
  forEver: number;
  /** Whether the engine has run the call, although its response is lost. */
  isRun?: boolean;
  /** Whether the engine runs the call later, before or after a retry. */
  isRunLater?: boolean;
  /** Whether a client waits for a time limit. */
  silent?: boolean;
}

type Effect = Omit<Kind, 'name'>;

const harmless = (what: Script): Effect => ({ what, once: 200, forEver: 200 });
const retryable = (what: Script): Effect => ({ what, once: 200, forEver: 503 });
const fatal = (what: Script): Effect => ({ what, once: 500, forEver: 500 });
/** The engine runs the call, and then something happens to its response. */
const lost = (what: Script): Effect => ({ ...retryable(what), isRun: true });
const silent = (effect: Effect): Effect => ({ ...effect, silent: true });

/** Headers with which a service asks the SDK for a longer wait before a retry. */
const longerWait = { 'Retry-After': '5', 'X-Amz-Retry-After': '5000' };
/** The error with which DynamoDB rejects an update whose condition is false. */
const rejection = 'ConditionalCheckFailedException';

const effects = {
  ProvisionedThroughputExceededException: retryable(
    error(400, 'ProvisionedThroughputExceededException'),
  ),
  ThrottlingException: retryable(error(400, 'ThrottlingException')),
  RequestLimitExceeded: retryable(error(400, 'RequestLimitExceeded')),
  'throttling that asks for a longer wait': retryable(
    error(400, 'ThrottlingException', longerWait),
  ),
  InternalServerError: retryable(error(500, 'InternalServerError')),
  'a 503 in HTML': retryable(foreign('<html>Service Unavailable</html>', 503)),
  AccessDeniedException: fatal(error(400, 'AccessDeniedException')),
  ResourceNotFoundException: fatal(error(400, 'ResourceNotFoundException')),
  ValidationException: fatal(error(400, 'ValidationException')),
  'an error without a name': fatal(foreign('{}', 400)),
  'an error dated an hour ahead': fatal((call) => respond(400, '{}', dateAhead(3_600_000))(call)),
  'a garbled rejection': retryable(error(400, rejection, { 'x-amz-crc32': '1' })),
  'an error that is not an object': retryable(respond(400, 'null')),
  'a slow response': harmless((call) => sleep(500).then(() => pass(call))),
  silence: silent(retryable(() => {})),
  'silence after the engine has run the call': silent(lost((call) => call.forward())),
  'silence, and the engine runs the call later': silent({ ...retryable(later), isRunLater: true }),
  'a byte every 700 ms': silent({ ...lost(drip), once: 504, forEver: 504 }),
  'a reset before the engine has run the call': retryable(reset),
  'a reset after the engine has run the call': lost((call) =>
    call.forward().then(() => reset(call)),
  ),
  'half a response and a reset': lost(half(reset)),
  'half a response and the end of the connection': lost(
    half(({ response }) => response.socket?.end()),
  ),
  'half a response and silence': silent(lost(half(() => {}))),
  'a response with digits changed': lost(changed()),
  'a response with digits changed and no checksum': lost(changed('x-amz-crc32')),
  'a body that is not JSON': retryable(foreign('<html>Log in</html>')),
  'an empty response': retryable(foreign('{}')),
  'a response from another service': retryable(foreign('{"Item":{},"Attributes":{},"Items":[]}')),
  'bytes that are not HTTP': retryable(({ response }) => response.socket?.end('nonsense\r\n\r\n')),
  'a clock an hour ahead': harmless(clockAhead(3_600_000, pass)),
  'a clock an hour behind': harmless(clockAhead(-3_600_000, pass)),
} satisfies Record<string, Effect>;

export type KindName = keyof typeof effects;

export const kindNamed = (name: KindName): Kind => ({ name, ...effects[name] });

export const kinds: Kind[] = Object.entries(effects).map(([name, effect]) => ({
  name,
  ...effect,
}));
