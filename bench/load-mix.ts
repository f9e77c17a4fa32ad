import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'autocannon';
import { createApiKey } from '../functions/keys/api-key.ts';
import { violations } from '../ops/acceptance/suite/openapi.ts';

/** A request of the load, and the only status that its response may have. */
export interface Expected {
  method: 'GET' | 'PATCH' | 'PUT';
  path: string;
  status: number;
  apiKey: string;
  body?: string;
}

/** Requests per second of a whole load: fewer than the stage's throttling lets through. */
export const overallRate = 600;

/**
 * petIds to update: enough that a load's two lists, one unauthorized, stay under the limit of 10
 * lists a second.
 */
const updates = Array.from({ length: 150 }, (_, i) => (i % 3) + 1);

/** Returns requests for the two operations as clients are meant to send them. */
export const operations = (apiKey: string): Expected[] => [
  { method: 'GET', path: '/inventory', status: 200, apiKey },
  ...updates.map((petId) => ({
    method: 'PATCH' as const,
    path: `/inventory/${petId}`,
    status: 200,
    apiKey,
    body: `{"quantity":${petId}}`,
  })),
];

/** Returns the requests of `operations` and others with the mistakes that clients make. */
export const mixed = (apiKey: string): Expected[] => [
  ...operations(apiKey),
  { method: 'PATCH', path: '/inventory/404404', status: 404, apiKey, body: '{"quantity":7}' },
  { method: 'PATCH', path: '/inventory/1', status: 400, apiKey, body: '{"quantity":"7"}' },
  { method: 'GET', path: '/inventory', status: 401, apiKey: createApiKey('staging') },
  { method: 'PUT', path: '/inventory', status: 405, apiKey, body: '{}' },
];

/** Returns a load as autocannon's requests. Reports every response that breaks the contract. */
export const requestsOf = (
  baseUrl: string,
  load: Expected[],
  report: (problem: string) => void,
): Request[] => {
  const { pathname } = new URL(baseUrl);
  return load.map(({ method, path, status: expected, apiKey, body }) => ({
    method,
    path: pathname + path,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    ...(body && { body }),
    onResponse: (status, text, _context, headers = {}) => {
      const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
      const response = {
        status,
        headers: Object.fromEntries(lowerCase) as IncomingHttpHeaders,
        text,
        body: text,
      };
      const problems =
        status === expected
          ? violations(method, pathname + path, response)
          : [`${status}, not ${expected}`];
      if (problems.length > 0) {
        report(`${method} ${path}: ${problems.join(', ')}`);
      }
    },
  }));
};
