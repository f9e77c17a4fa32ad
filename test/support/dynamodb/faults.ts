import { respond, respondWithError, type Script } from './dynamodb.ts';

/** What happens to a call, and what follows. */
export interface Fault {
  what: Script;
  /** Whether the call is made again. */
  retried: boolean;
  /** The error's name, message and cause, as the functions log it. */
  logged: RegExp;
  /** Whether a client waits for a time limit. */
  silent?: boolean;
}

/** Sends a response that is not DynamoDB's and has no checksum. */
const foreign =
  (status: number, body: string): Script =>
  ({ response }) =>
    response.writeHead(status).end(body);

const reset: Script = ({ response }) => response.socket?.resetAndDestroy();

/** Sends half of the engine's response, and ends the connection. */
const half: Script = async ({ forward, response }) => {
  const { status, headers, bytes } = await forward();
  const firstHalf = bytes.subarray(0, bytes.length / 2);
  response.writeHead(status, headers).write(firstHalf, () => response.socket?.end());
};

/** Sends the engine's response with every digit changed to 9, which is still JSON. */
const changed: Script = async ({ forward, response }) => {
  const { status, headers, bytes } = await forward();
  const text = bytes.toString('latin1').replace(/\d/g, '9');
  response.writeHead(status, headers).end(text, 'latin1');
};

const switchOfProtocols: Script = ({ response }) =>
  response.socket?.end(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
  );

/** DynamoDB sends an error. */
const error = (status: number, name: string) => ({
  what: respondWithError(status, name),
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

/** What arrives is no response of DynamoDB's. */
const unreadable = (why: string, what: Script) => ({
  retried: true,
  what,
  logged: new RegExp(`^TransientError: DynamoDB's response cannot be read\\.: ${why}`),
});
const noChecksum = 'Its checksum is missing or wrong\\.$';
const noObject = 'It is not an object\\.$';

/** The connection ends, which Node says in its words, or is silent. */
const incomplete = (what: Script) => ({
  retried: true,
  what,
  logged: /^TransientError: DynamoDB sent no complete response: (.+): \1$/,
});
const silent = (what: Script) => ({ ...incomplete(what), silent: true });

const rows = {
  ProvisionedThroughputExceededException: {
    retried: true,
    ...error(400, 'ProvisionedThroughputExceededException'),
  },
  'a throttled transaction': { retried: true, ...cancelled('None', 'ThrottlingError') },
  'a transaction beyond the limit of a table': {
    retried: true,
    ...cancelled('ProvisionedThroughputExceeded', 'None'),
  },
  'a signature that has expired': {
    retried: true,
    what: respond(400, expired),
    logged: /^InvalidSignatureException: Signature expired: /,
  },
  InternalServerError: { retried: true, ...error(500, 'InternalServerError') },
  AccessDeniedException: { retried: false, ...error(400, 'AccessDeniedException') },
  ValidationException: { retried: false, ...error(400, 'ValidationException') },
  'a wrong signature': { retried: false, ...error(400, 'InvalidSignatureException') },

  'a garbled rejection': unreadable(
    noChecksum,
    respondWithError(400, 'ConditionalCheckFailedException', { 'x-amz-crc32': '1' }),
  ),
  'a garbled response': unreadable(noChecksum, changed),
  'a response of another service': unreadable(
    noChecksum,
    foreign(200, '{"Item":{},"Attributes":{},"Items":[]}'),
  ),
  'a 503 in HTML': unreadable('.*JSON', foreign(503, '<html>Service Unavailable</html>')),
  'an error that is null': unreadable(noObject, foreign(400, 'null')),
  'an error that is a number': unreadable(noObject, foreign(400, '7')),
  'an error that is a list': unreadable(noObject, foreign(400, '[]')),

  'a switch of protocols': incomplete(switchOfProtocols),
  'a reset before the engine has run the call': incomplete(reset),
  'a reset after the engine has run the call': incomplete((call) =>
    call.forward().then(() => reset(call)),
  ),
  'half a response and the end of the connection': incomplete(half),
  silence: silent(() => {}),
  'silence after the engine has run the call': silent((call) => call.forward()),
} satisfies Record<string, Fault>;

type FaultName = keyof typeof rows;

export const faults: Record<FaultName, Fault> = rows;
