// Sets the quantity of a pet in the inventory. Usage: node set-quantity.js PET_ID QUANTITY [ETAG]
// With an ETag, such as '"7-available"', only if the entry has it.
import { parse, parseNumberAndBigInt, stringify } from 'lossless-json';

const attempts = 5;

/** A response other than 200. */
class ResponseError extends Error {
  constructor(response, text) {
    super(`The service responded with ${response.status}: ${text}`);
    this.status = response.status;
    this.retryAfter = Number(response.headers.get('Retry-After'));
  }
}

const send = async (url, request) => {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(330_000) });
  const text = await response.text();
  if (response.status !== 200) {
    throw new ResponseError(response, text);
  }
  try {
    // Reads petId and quantity as bigint, so that every digit is exact.
    return parse(text, undefined, parseNumberAndBigInt);
  } catch {
    throw new Error('The response was cut off or is not valid JSON.');
  }
};

/**
 * Whether a request may be sent again: after a 429 or a 503 always; after another 5xx, a network
 * error or a response that was cut off only without If-Match, because the update may have been
 * applied. Node's fetch repeats no PATCH by itself; a browser's may, and another client's retries
 * must be switched off.
 */
const mayRepeat = ({ headers }, { status }) =>
  status === 429 ||
  status === 503 ||
  (!headers?.['If-Match'] && (status === undefined || status >= 500));

/**
 * Sends a request, up to five times. Waits for the seconds in Retry-After, or else 1, 2, 4, then 8,
 * and a random part of a second.
 */
const call = async (url, request, attempt = 1) => {
  try {
    return await send(url, request);
  } catch (error) {
    if (attempt === attempts || !mayRepeat(request, error)) {
      throw error;
    }
    const seconds = (error.retryAfter || 2 ** (attempt - 1)) + Math.random();
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
  return call(url, request, attempt + 1);
};

/**
 * Returns the updated entry. The petId is text; quantities are bigint. In a browser, the base URL
 * is a proxy on your own server, which adds the API key. There, use no ETag: a browser may send the
 * update twice.
 */
export const setQuantity = async ({ baseUrl, headers, petId, quantity, etag }) => {
  const inventory = await call(`${baseUrl}/inventory`, { headers });
  const entry = inventory.find((item) => String(item.petId) === petId);
  if (!entry) {
    throw new Error(`The inventory has no pet ${petId}.`);
  }
  return call(`${baseUrl}/inventory/${entry.petId}`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/json', ...(etag && { 'If-Match': etag }) },
    body: stringify({ quantity }),
  });
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
  const update = { baseUrl, headers, petId, quantity: BigInt(quantity), etag };
  console.log(stringify(await setQuantity(update)));
};

if (globalThis.process) {
  main(process.argv.slice(2), process.env).catch(({ message, cause }) => {
    // A network error says its reason in its cause.
    console.error(cause?.code ? `${message}: ${cause.code}` : message);
    process.exitCode = 1;
  });
}
