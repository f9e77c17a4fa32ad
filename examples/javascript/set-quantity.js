// Sets a pet's quantity in the inventory. Usage: node set-quantity.js PET_ID QUANTITY (Node 18)
import ky from 'ky';
import { parse, parseNumberAndBigInt, stringify } from 'lossless-json';

/**
 * petId and quantity are bigint. In a browser, the base URL is a proxy on your own server, which
 * adds the API key. An error may hold the request with its key, so log only the error's message and
 * response, as below.
 */
export const setQuantity = async (baseUrl, headers, petId, quantity) => {
  const api = ky.create({
    prefixUrl: baseUrl,
    headers,
    timeout: 330_000,
    retry: {
      limit: 4,
      methods: ['get', 'patch'],
      statusCodes: [429, 500, 502, 503, 504],
      delay: (attempt) => 1000 * 2 ** (attempt - 1),
      jitter: (delay) => delay * (0.5 + Math.random() / 2),
    },
    // Throws if a list ends without its closing bracket; ky throws if the connection is cut.
    parseJson: (text) => parse(text, undefined, parseNumberAndBigInt),
    stringifyJson: stringify,
  });
  const inventory = await api.get('inventory').json();
  const entry = inventory.find((item) => item.petId === petId);
  if (!entry) {
    throw new Error(`No pet ${petId}.`);
  }
  return api.patch(`inventory/${entry.petId}`, { json: { quantity } }).json();
};

if (globalThis.process) {
  try {
    const { PETSTORE_BASE_URL = '', PETSTORE_API_KEY = '' } = process.env;
    if (!/^https?:/.test(PETSTORE_BASE_URL) || !/^\w+$/.test(PETSTORE_API_KEY)) {
      throw new Error('PETSTORE_BASE_URL must be a URL, and PETSTORE_API_KEY a key.');
    }
    const [petId = '', quantity = ''] = process.argv.slice(2);
    if (!/^-?\d+ \d+$/.test(`${petId} ${quantity}`)) {
      throw new Error('Usage: node set-quantity.js PET_ID QUANTITY');
    }
    const headers = { Authorization: `Bearer ${PETSTORE_API_KEY}` };
    console.log(
      stringify(await setQuantity(PETSTORE_BASE_URL, headers, BigInt(petId), BigInt(quantity))),
    );
  } catch ({ message, cause, response }) {
    console.error(
      response
        ? `${response.status} ${await response.text()}`
        : `${message} ${cause?.code ?? ''}`.trim(),
    );
    process.exitCode = 1;
  }
}
