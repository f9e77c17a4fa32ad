// Sets the quantity of a pet in the inventory. Usage: node set-quantity.js PET_ID QUANTITY [ETAG]
// With an ETag, such as '"7-available"', only if the entry has it.
import { parse, parseNumberAndBigInt, stringify } from 'lossless-json';

/** How often a request is sent that has no Idempotency-Key. */
const attempts = 5;
/** How long a request is sent again that has one: the service promises no more. */
const fiveMinutes = 300;

/** Whether an update with a condition is under way, so that nobody knows whether it was applied. */
let isUnknown = false;

/** A response other than 200. */
class ResponseError extends Error {
  constructor(response, text) {
    super(`The service responded with ${response.status}: ${text}`);
    this.status = response.status;
    // What the service calls the error; undefined if the response is a proxy's.
    this.code = /"code": ?"(\w+)"/.exec(text)?.[1];
    this.key = response.headers.get('Idempotency-Key');
    this.retryAfter = Number(response.headers.get('Retry-After'));
  }
}

/** Sends a request once. Its 200 counts if `isExpected` recognizes the body. */
const send = async (url, request, isExpected) => {
  const signal = AbortSignal.timeout(request.method === 'PATCH' ? 30_000 : 330_000);
  const response = await fetch(url, { ...request, redirect: 'manual', signal });
  const text = await response.text();
  const { status } = response;
  if (status !== 200) {
    throw new ResponseError(response, text);
  }
  const body = parsed(text);
  if (!isExpected(body)) {
    throw new Error(`The response was cut off or is not what was asked for: ${text}`);
  }
  if (response.headers.get('Idempotency-Key') !== keyOf(request)) {
    throw Object.assign(new Error(`The response lacks the Idempotency-Key: ${text}`), { status });
  }
  return body;
};

/** Reads petId and quantity as bigint, so that every digit is exact. */
const parsed = (text) => {
  try {
    return parse(text, undefined, parseNumberAndBigInt);
  } catch {
    return undefined;
  }
};

const keyOf = ({ headers }) => headers?.['Idempotency-Key'] ?? null;

/** Whether a request may succeed if it is sent again. */
const isTemporary = ({ status }) =>
  status === undefined || [408, 429].includes(status) || status >= 500;

/** Whether the service says that no attempt with this Idempotency-Key was or will be applied. */
const isRefused = (request, { code, key }) =>
  ['precondition_failed', 'pet_not_found', 'idempotency_key_reused'].includes(code) &&
  key === keyOf(request);

/** Starts to count seconds, by the clock that is further: one stands still in sleep, one is set. */
const stopwatch = () => {
  const [since, sinceBoot] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - since, performance.now() - sinceBoot) / 1000;
};

/**
 * Whether a request may be sent again, after waiting for the seconds in Retry-After, or else 1, 2,
 * 4, 8, 8, …, and a random part of a second. An update with a condition needs an Idempotency-Key:
 * without one, it could be applied twice.
 */
const mayRepeat = async (request, error, times, passed) => {
  const isOver = (seconds) =>
    keyOf(request) === null ? times >= attempts : passed() + seconds >= fiveMinutes;
  const asked = error.retryAfter || Math.min(2 ** (times - 1), 8);
  const seconds = Math.min(Math.max(asked, 1), fiveMinutes) + Math.random();
  if (!isTemporary(error) || isOver(seconds)) {
    return false;
  }
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  // The machine may have slept longer.
  return !isOver(0);
};

const unknown = 'It may have been applied: check the entry.';

/** Says what an update with a condition came to, unless the service has said it. */
const explain = (request, error) => {
  if (keyOf(request) === null || isRefused(request, error)) {
    return error;
  }
  const { message, cause } = error;
  return new Error(`${unknown} ${message}`, { cause });
};

/** Sends a request until a response is final, and returns the body of a 200. */
const call = async (url, request, isExpected) => {
  const passed = stopwatch();
  isUnknown = keyOf(request) !== null;
  try {
    for (let times = 1; ; times += 1) {
      try {
        return await send(url, request, isExpected);
      } catch (error) {
        if (!(await mayRepeat(request, error, times, passed))) {
          throw explain(request, error);
        }
      }
    }
  } finally {
    isUnknown = false;
  }
};

/**
 * Returns the updated entry. The petId is text; quantities are bigint. A condition is the headers
 * If-Match and Idempotency-Key; without one, the same update may always be repeated. In a browser,
 * the base URL is a proxy on your own server, which adds the API key.
 */
export const setQuantity = async ({ baseUrl, headers, petId, quantity, condition }) => {
  const inventory = await call(`${baseUrl}/inventory`, { headers }, Array.isArray);
  const entry = inventory.find((item) => String(item.petId) === petId);
  if (!entry) {
    throw new Error(`The inventory has no pet ${petId}.`);
  }
  const update = {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/json', ...condition },
    body: stringify({ quantity }),
  };
  const isUpdated = (body) => body?.petId === entry.petId && body.quantity === quantity;
  return call(`${baseUrl}/inventory/${entry.petId}`, update, isUpdated);
};

const check = (isValid, message) => {
  if (!isValid) {
    throw new Error(message);
  }
};

const main = async (args, environment) => {
  check([2, 3].includes(args.length), 'Usage: node set-quantity.js PET_ID QUANTITY [ETAG]');
  const [petId, quantity, etag] = args;
  const { PETSTORE_BASE_URL: baseUrl = '', PETSTORE_API_KEY: apiKey = '' } = environment;
  check(/^(0|-?[1-9]\d*)$/.test(petId), `PET_ID must be an integer, not "${petId}".`);
  check(
    /^(0|[1-9]\d*)$/.test(quantity),
    `QUANTITY must be 0 or a positive integer, not "${quantity}".`,
  );
  check(
    etag === undefined || /^"\d+-[a-z]+"$/.test(etag),
    `ETAG must be like "7-available", with its quotes, not ${etag}.`,
  );
  check(
    /^https?:\/\/[\w.-]+(:\d+)?(\/[\w.-]+)*\/v1$/.test(baseUrl),
    "Set PETSTORE_BASE_URL to the service's base URL, which ends in /v1.",
  );
  check(
    /^\w+$/.test(apiKey),
    'Set PETSTORE_API_KEY to an API key, which has only letters, digits and underscores.',
  );
  const headers = { Authorization: `Bearer ${apiKey}` };
  const { randomUUID } = await import('node:crypto');
  const condition = etag && { 'If-Match': etag, 'Idempotency-Key': randomUUID() };
  const update = { baseUrl, headers, petId, quantity: BigInt(quantity), condition };
  console.log(stringify(await setQuantity(update)));
};

/** Says of a program that is interrupted what it may have done. */
const interrupted = () => {
  if (isUnknown) {
    console.error(`${unknown} The program was interrupted.`);
  }
  process.exit(130);
};

if (globalThis.process) {
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  main(process.argv.slice(2), process.env).catch(({ message, cause }) => {
    // A network error says its reason in its cause.
    console.error(cause?.code ? `${message}: ${cause.code}` : message);
    process.exitCode = 1;
  });
}
