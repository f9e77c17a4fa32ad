import { once } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { respondWithError as error, respond, type Script } from './dynamodb.ts';
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

/** What happens to a call, and what follows. */
export interface Kind {
  name: string;
  what: Script;
  /** Whether the engine runs the call: not, before the response is lost, or when nobody waits. */
  run: 'no' | 'yes' | 'later';
  /** Whether the call is made again. If it then succeeds, all is as if nothing had happened. */
  retried: boolean;
  /** The status that a client of the service gets while it happens to every call. */
  gets: 200 | 500 | 503 | 504;
  /** The error's name, message and cause, as the functions log it; undefined if there is none. */
  logged?: RegExp;
  /** Whether a client waits for a time limit. */
  silent?: boolean;
}

type Row = Omit<Kind, 'name'>;

const none = { run: 'no', retried: false, gets: 200 } as const;
/** DynamoDB rejects the call, or will always do so. */
const rejected = { run: 'no', retried: false, gets: 500 } as const;
/** DynamoDB cannot run the call now, or was never asked to. */
const unavailable = { run: 'no', retried: true, gets: 503 } as const;
/** The engine runs the call, and then something happens to its response. */
const lost = { run: 'yes', retried: true, gets: 503 } as const;

/** What says why a connection has ended is Node's. */
const incomplete = /^TransientError: DynamoDB sent no complete response: (.+): \1$/;
const silence =
  /^TransientError: DynamoDB sent no complete response: DynamoDB was silent for 2000 ms\./;
const unreadable = (why: string) =>
  new RegExp(`^TransientError: DynamoDB's response cannot be read\\.: ${why}`);
const noJson = unreadable('.*JSON');
const noChecksum = unreadable('Its checksum is missing or wrong\\.$');
const noObject = unreadable('It is not an object\\.$');

/** Headers with which a service asks the SDK for a longer wait before a retry. */
const longerWait = { 'Retry-After': '5', 'X-Amz-Retry-After': '5000' };
const sent = (status: number, name: string, headers = {}) => ({
  what: error(status, name, headers),
  logged: new RegExp(`^${name}: Not a word of this to clients\\.$`),
});
const cancelled = (...codes: string[]) => {
  const __type = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';
  const CancellationReasons = codes.map((Code) => ({ Code }));
  return {
    what: respond(400, JSON.stringify({ __type, message: 'why', CancellationReasons })),
    logged: /^TransactionCanceledException: why$/,
  };
};
/** How DynamoDB rejects a call that was signed five minutes ago or earlier. */
const expired = JSON.stringify({
  __type: 'com.amazon.coral.service#InvalidSignatureException',
  message:
    'Signature expired: 20270115T075459Z is now earlier than 20270115T075500Z ' +
    '(20270115T080000Z - 5 min.)',
});
const bytes =
  (text: string): Script =>
  ({ response }) =>
    response.socket?.end(text);
const switchOfProtocols =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';

/** Errors that DynamoDB sends in place of running a call. */
const errors = {
  ProvisionedThroughputExceededException: {
    ...unavailable,
    ...sent(400, 'ProvisionedThroughputExceededException'),
  },
  ThrottlingException: { ...unavailable, ...sent(400, 'ThrottlingException') },
  // A status that DynamoDB may use for it one day.
  'throttling as a 503': { ...unavailable, ...sent(503, 'ThrottlingException') },
  RequestLimitExceeded: { ...unavailable, ...sent(400, 'RequestLimitExceeded') },
  'throttling that asks for a longer wait': {
    ...unavailable,
    ...sent(400, 'ThrottlingException', longerWait),
  },
  'a throttled transaction': { ...unavailable, ...cancelled('None', 'ThrottlingError') },
  'a transaction beyond the limit of a table': {
    ...unavailable,
    ...cancelled('ProvisionedThroughputExceeded', 'None'),
  },
  'a signature that has expired': {
    ...unavailable,
    what: respond(400, expired),
    logged: /^InvalidSignatureException: Signature expired: /,
  },
  InternalServerError: { ...unavailable, ...sent(500, 'InternalServerError') },
  'an unknown error of the server': {
    ...unavailable,
    what: foreign('{"__type":"New"}', 503),
    logged: /^New: New$/,
  },
  AccessDeniedException: { ...rejected, ...sent(400, 'AccessDeniedException') },
  ResourceNotFoundException: { ...rejected, ...sent(400, 'ResourceNotFoundException') },
  ValidationException: { ...rejected, ...sent(400, 'ValidationException') },
  'a wrong signature': { ...rejected, ...sent(400, 'InvalidSignatureException') },
  'an error without a name': {
    ...rejected,
    what: foreign('{}', 400),
    logged: /^UnknownError: UnknownError$/,
  },
} satisfies Record<string, Row>;

/** Responses that are none of DynamoDB's, or only a part. */
const responses = {
  'a garbled rejection': {
    ...unavailable,
    what: error(400, 'ConditionalCheckFailedException', { 'x-amz-crc32': '1' }),
    logged: noChecksum,
  },
  'an error that is null': {
    ...unavailable,
    what: respond(400, 'null'),
    logged: noObject,
  },
  'an error that is a number': { ...unavailable, what: respond(400, '7'), logged: noObject },
  'an error that is a list': { ...unavailable, what: respond(400, '[]'), logged: noObject },
  'a 503 in HTML': {
    ...unavailable,
    what: foreign('<html>Service Unavailable</html>', 503),
    logged: noJson,
  },
  'a body that is not JSON': {
    ...unavailable,
    what: foreign('<html>Log in</html>'),
    logged: noChecksum,
  },
  'an empty response': { ...unavailable, what: foreign('{}'), logged: noChecksum },
  'a response from another service': {
    ...unavailable,
    what: foreign('{"Item":{},"Attributes":{},"Items":[]}'),
    logged: noChecksum,
  },
  'a switch of protocols': {
    ...unavailable,
    what: bytes(switchOfProtocols),
    logged: /: its connection was closed$/,
  },
  'bytes that are not HTTP': {
    ...unavailable,
    what: bytes('nonsense\r\n\r\n'),
    logged: incomplete,
  },
  'a response with digits changed': { ...lost, what: changed(), logged: noChecksum },
  'a response with digits changed and no checksum': {
    ...lost,
    what: changed('x-amz-crc32'),
    logged: noChecksum,
  },
} satisfies Record<string, Row>;

/** Connections that end or are silent. */
const connections = {
  'a slow response': { ...none, what: (call) => sleep(500).then(() => pass(call)) },
  silence: { ...unavailable, what: () => {}, logged: silence, silent: true },
  'silence after the engine has run the call': {
    ...lost,
    what: (call) => call.forward(),
    logged: silence,
    silent: true,
  },
  'silence, and the engine runs the call later': {
    ...unavailable,
    what: later,
    run: 'later',
    logged: silence,
    silent: true,
  },
  'a byte every 700 ms': { ...lost, what: drip, retried: false, gets: 504, silent: true },
  'a reset before the engine has run the call': {
    ...unavailable,
    what: reset,
    logged: incomplete,
  },
  'a reset after the engine has run the call': {
    ...lost,
    what: (call) => call.forward().then(() => reset(call)),
    logged: incomplete,
  },
  'half a response and a reset': { ...lost, what: half(reset), logged: incomplete },
  'half a response and the end of the connection': {
    ...lost,
    what: half(({ response }) => response.socket?.end()),
    logged: incomplete,
  },
  'half a response and silence': { ...lost, what: half(() => {}), logged: silence, silent: true },
} satisfies Record<string, Row>;

const rows = { ...errors, ...responses, ...connections };

export type KindName = keyof typeof rows;

export const kindNamed = (name: KindName): Kind => ({ name, ...rows[name] });

export const kinds: Kind[] = (Object.keys(rows) as KindName[]).map(kindNamed);

/** These take real time, which only a local run gives them. */
const slow: string[] = [
  'a slow response',
  'silence, and the engine runs the call later',
  'a byte every 700 ms',
] satisfies KindName[];

/** Those that a test in one process can make happen at once. */
export const quickKinds = kinds.filter(({ name }) => !slow.includes(name));
