import { setTimeout as sleep } from 'node:timers/promises';
import { apiKeyPattern } from '../../../functions/keys/api-key.ts';
import { violations } from './openapi.ts';
import { type HttpResponse, type Message, sendRaw } from './raw-request.ts';

/**
 * Sends a request to the API, again after each 429 as often as `retries` says, and throws if a
 * response breaks openapi.yaml.
 */
export const send = async (
  baseUrl: string,
  message: Message,
  { retries }: Retries = { retries: 0 },
): Promise<HttpResponse> => {
  const response = await sendRaw(baseUrl, message);
  const { method = 'GET', path } = message;
  const pathname = new URL(baseUrl).pathname.replace(/\/$/, '') + path;
  const problems = [...violations(method, pathname, response), ...keysIn(response)];
  if (problems.length > 0) {
    const text = response.text.replaceAll(apiKeys, '<API_KEY>');
    throw new Error(
      `${method} ${path} responded ${response.status} ${beginningOf(text)}\n` +
        beginningOf(problems.join('\n')),
    );
  }
  if (response.status === 429 && retries > 0) {
    await sleep(1_000 * Number(response.headers['retry-after']));
    return send(baseUrl, message, { retries: retries - 1 });
  }
  return response;
};

const apiKeys = new RegExp(apiKeyPattern('[a-z0-9-]+'), 'g');

/** No response of the service repeats a key. */
const keysIn = ({ headers, text }: HttpResponse): string[] =>
  (text + JSON.stringify(headers)).search(apiKeys) === -1 ? [] : ['It holds an API key.'];

/** A list may have megabytes, and thousands of mistakes. */
const beginningOf = (text: string): string =>
  text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text;

interface Retries {
  /** How often a request is sent again because of a 429. */
  retries: number;
}

export const json = { 'Content-Type': 'application/json' };

/** Returns a client that calls a running service with an API key. The base URL ends in `/v1`. */
export const serviceAt = (baseUrl: string, apiKey: string, retries?: Retries) => {
  const sendBare = (message: Message) => send(baseUrl, message, retries);
  const sendWithKey = (message: Message) =>
    sendBare({ ...message, headers: { Authorization: `Bearer ${apiKey}`, ...message.headers } });
  return {
    baseUrl,
    apiKey,
    /** Sends a request without the API key. */
    sendBare,
    /** Sends a request with the API key, unless the message has its own Authorization header. */
    send: sendWithKey,
    /** Sends an update with the API key. */
    patch: (
      petId: bigint | number | string,
      body: string | undefined,
      headers: Message['headers'] = json,
    ) => sendWithKey({ method: 'PATCH', path: `/inventory/${petId}`, headers, body }),
  };
};

/**
 * Returns what tests compare of an Error response, whose message is for people. `send` checks the
 * rest of it against openapi.yaml.
 */
export const errorResponse = (status: number, code: string) => ({
  status,
  body: { code, status: BigInt(status) },
});
