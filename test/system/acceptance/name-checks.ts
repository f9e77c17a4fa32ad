// Loaded into a run of `npm run acceptance`: tells the service which check sends a request.
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { expect } from '@jest/globals';

/** The check that has sent a request, and how many it had sent before. */
let last = { check: '', count: 0 };

subscribe('http.client.request.created', (message) => {
  const { request } = message as { request: ClientRequest };
  const check = expect.getState().currentTestName ?? '';
  last = { check, count: check === last.check ? last.count + 1 : 0 };
  request.setHeader('x-check', encodeURIComponent(JSON.stringify(last)));
});
