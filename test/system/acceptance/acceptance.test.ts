import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { apiKeyPattern } from '../../../functions/keys/api-key.ts';
import { open, serviceAt } from '../../support/http/http-client.ts';
import { serve } from '../../support/http/serve.ts';
import { localRun } from '../../support/local/local-run.ts';
import { stackOf } from '../../support/stack/synthesized.ts';
import { requestsWithoutKey } from './api-key.ts';
import { defineChecks } from './suite.ts';

/** What the read-only suite has sent, and prod's key and list. */
const sent: IncomingMessage[] = [];
let keyOfProd = '';
const listOfProd = { before: '', after: async () => '' };

/** Starts prod behind a proxy that keeps what it passes on. */
const recordedProd = async () => {
  const prod = await localRun('--stage', 'prod');
  const list = async () => (await prod.send({ path: '/inventory' })).text;
  Object.assign(listOfProd, { before: await list(), after: list });
  keyOfProd = prod.apiKey;
  const { origin, pathname } = new URL(prod.baseUrl);
  const proxy = await serve(async (request, response) => {
    sent.push(request);
    const { method = '', url: path = '', headers } = request;
    const body = await buffer(request);
    const message = { method, path, headers: headers as Record<string, string> };
    const received = await open(origin, { ...message, ...(body.length > 0 && { body }) });
    response.writeHead(received.statusCode ?? 0, received.headers);
    received.pipe(response);
  });
  return serviceAt(proxy + pathname, prod.apiKey);
};

// As a release checks the stages.
const localStaging = () => localRun('--stage', 'staging');
defineChecks({ name: 'staging', readOnly: false, start: localStaging });
defineChecks({ name: 'prod', readOnly: true, start: recordedProd });

const sortedEntries = (list: string): string[] =>
  list
    .slice(1, -1)
    .split(/(?<=}),/)
    .toSorted();

test('a read-only run changes nothing', async () => {
  expect(sortedEntries(await listOfProd.after())).toEqual(sortedEntries(listOfProd.before));
});

test('a read-only run updates no existing entry, even wrongly', () => {
  const petIds = [...listOfProd.before.matchAll(/"petId":(-?\d+)/g)].map(([, petId]) => petId);
  const updated = sent
    .filter(({ method }) => method === 'PATCH')
    .map(({ url }) => url?.split('/').at(-1));
  expect(petIds).toHaveLength(7);
  expect(updated.length).toBeGreaterThan(50);
  expect(updated.filter((petId) => petIds.includes(petId))).toEqual([]);
});

const isList = /\/v1\/inventory\/?(\?|$)/;
const isWellFormed = new RegExp(`^bearer +${apiKeyPattern('prod')}$`, 'i');

test('a read-only run requests one list, compressed', () => {
  const lists = sent.filter(({ method, url }) => method === 'GET' && isList.test(url ?? ''));
  const compressed = lists.filter(({ headers }) => headers['accept-encoding'] === 'gzip');
  expect(compressed).toHaveLength(1);
  // All others are rejected, because their key is wrong.
  const withKey = lists.filter(({ headers }) => headers.authorization?.endsWith(keyOfProd));
  expect(withKey).toEqual(compressed);
});

test('a run sends as many requests without a well-formed key as it says', () => {
  const without = sent.filter(({ headers }) => !isWellFormed.test(headers.authorization ?? ''));
  expect(without).toHaveLength(requestsWithoutKey);
});

test('acceptance can run five times a minute before the firewall blocks the address', () => {
  const [{ Rules } = {}] = stackOf('prod').all('AWS::WAFv2::WebACL');
  const { Limit, ScopeDownStatement } = Rules[0].Statement.RateBasedStatement;
  expect(ScopeDownStatement).toHaveProperty('NotStatement');
  expect(Limit).toBeGreaterThanOrEqual(5 * requestsWithoutKey);
});
