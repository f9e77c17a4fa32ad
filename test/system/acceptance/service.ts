import type { HttpResponse, Message } from '../../support/http-client.ts';
import { send } from '../../support/http-client.ts';
import { localRun } from '../../support/local-run.ts';

/** A running service, as a client sees it. */
export interface Service {
  /** Ends in `/v1`. */
  baseUrl: string;
  apiKey: string;
  /** Sends a request with the API key, unless the headers say otherwise. */
  send(message: Message): Promise<HttpResponse>;
  /** Sends a request as it is. */
  sendBare(message: Message): Promise<HttpResponse>;
}

const { ACCEPTANCE_BASE_URL: baseUrl, ACCEPTANCE_API_KEY: apiKey = '', ACCEPTANCE_READ_ONLY } = process.env;

/** Nothing may be sent that a correct service would apply. */
export const readOnly = ACCEPTANCE_READ_ONLY !== undefined;

const deployed = (url: string): Service => ({
  baseUrl: url,
  apiKey,
  send: (message) => send(url, { ...message, headers: { Authorization: `Bearer ${apiKey}`, ...message.headers } }),
  sendBare: (message) => send(url, message),
});

/** What the suite runs against: the deployment that `petstore acceptance` names, or else both stages on this machine. */
export const services: [name: string, start: () => Promise<Service>][] =
  baseUrl === undefined
    ? ['staging', 'prod'].map((stage) => [`petstore start, ${stage}`, () => localRun('--stage', stage)])
    : [[baseUrl, async () => deployed(baseUrl)]];
