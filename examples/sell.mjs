// Sells one of a pet, once, however often it is started. Usage: node sell.mjs PET_ID ORDER
import { setTimeout as sleep } from 'node:timers/promises';

const { PETSTORE_BASE_URL, PETSTORE_API_KEY } = process.env;
const deadline = performance.now() + 600_000;

/** Reads JSON with each petId as a BigInt, because a number would round large ones. */
const parse = (text) =>
  JSON.parse(text, (name, value, { source }) => (name === 'petId' ? BigInt(source) : value));

const stop = (message) => {
  console.error(message);
  process.exit(1);
};

if (!JSON.rawJSON) {
  stop('This needs Node 22 or later, whose JSON.parse shows the digits of a number.');
}

/**
 * Sends a request once. Returns the JSON of a response with a decisive status, and throws an Error if
 * the request is to be sent again.
 */
const attempt = async (path, message, decisive) => {
  // A list takes up to a minute.
  const signal = AbortSignal.timeout(70_000);
  const url = PETSTORE_BASE_URL + path;
  const response = await fetch(url, { ...message, redirect: 'manual', signal });
  const text = await response.text();
  const { status, headers } = response;
  // Without the key, this is not the service's response, or a proxy has dropped the key.
  const isOurs = headers.get('Idempotency-Key') === message.headers.get('Idempotency-Key');
  if (decisive.includes(status) && isOurs) {
    return parse(text);
  }
  if (status !== 408 && status !== 429 && status < 500) {
    stop(`Stopped by ${status}: ${text}`);
  }
  const retryAfter = Number(headers.get('Retry-After')) || 0;
  throw Object.assign(new Error(`${status} ${text}`), { retryAfter });
};

/** Sends a request, again and unchanged, until a status decides. Returns that response's JSON. */
const send = async (path, message, decisive) => {
  const headers = new Headers(message.headers);
  headers.set('Authorization', `Bearer ${PETSTORE_API_KEY}`);
  headers.set('Content-Type', 'application/json');
  let wait = 0;
  for (let pause = 1; performance.now() + 1_000 * wait < deadline; pause = Math.min(2 * pause, 8)) {
    await sleep(1_000 * wait);
    try {
      return await attempt(path, { ...message, headers }, decisive);
    } catch (error) {
      wait = Math.max(pause, error.retryAfter ?? 0) + Math.random();
      console.error(`${error.cause ?? error.message} (again in ${wait.toFixed(1)} s)`);
    }
  }
  return stop('It may be sold or not. Run me again with the same arguments.');
};

const isForSale = ({ status, quantity }) => status === 'available' && quantity > 0;

const sell = async (petId, order) => {
  for (let number = 1; ; number += 1) {
    const inventory = await send('/inventory', {}, [200]);
    const entry = inventory.filter(isForSale).find((one) => one.petId === petId);
    // Without one, an earlier run may have sold the last one: ask what became of this try. No pet has
    // so many, so this changes nothing. It is random, so that no earlier answer to it is repeated.
    const before = entry?.quantity ?? 2 ** 53 + Math.floor(9e14 * Math.random());
    const update = {
      method: 'PATCH',
      headers: { 'Idempotency-Key': `${order}-${number}`, 'If-Match': `"${before}-available"` },
      body: JSON.stringify({ quantity: entry ? before - 1 : 0 }),
    };
    const answer = await send(`/inventory/${petId}`, update, [200, 404, 412, 422]);
    const { code = 'applied' } = answer;
    if (code === 'applied' || code === 'already_applied') {
      return console.log(`Sold one of pet ${petId} to ${order}.`);
    }
    if (code !== 'already_refused' && !entry) {
      return stop(`Not sold: pet ${petId} is not available.`);
    }
    // This try was refused, and cannot sell any more.
  }
};

const [petId, order] = process.argv.slice(2);
if (!PETSTORE_BASE_URL || !PETSTORE_API_KEY || !order) {
  stop('Set PETSTORE_BASE_URL and PETSTORE_API_KEY. Usage: node sell.mjs PET_ID ORDER');
}
await sell(BigInt(petId), order);
