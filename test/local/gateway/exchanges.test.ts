// What a client gets for a request, what the functions get of it, and what is logged and printed.
// exchanges.txt reads:
//
//     # what the exchange shows
//     > what functions return unless all goes well, in JavaScript: the names are in `scope` below
//     $ METHOD /path {its headers and body, in JavaScript}
//     < the status, and what headers are not those of every response; the body
//     @ the event of a function, for `events`
//     ~ the line for people; the resource and API Gateway's own response in the access log
//     ! what is printed besides
//
// Everything after a request is compared as a whole. `UPDATE_EXCHANGES=1 npm test -- test/local/gateway`
// writes it anew: read its diff.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { type AccessRecord, accessLine, readableLine } from '../../../local/log/access-log.ts';
import { type HttpResponse, type Message, sendRaw } from '../../support/http/raw-request.ts';
import { apiWith, decision, type Handlers, serveApi } from '../../support/http/serve-api.ts';

const file = join(import.meta.dirname, 'exchanges.txt');
const blocks = readFileSync(file, 'utf8')
  .trimEnd()
  .split(/\n+(?=# )/);
const key = `Bearer ${createApiKey('staging')}`;
const requestId = '01234567-89AB-cdef-0123-456789abcdef';

let printed: jest.Spied<typeof console.error>;
beforeEach(() => {
  printed = jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => void jest.restoreAllMocks());

/** Replaces what differs from run to run. */
const masked = (text: string): string =>
  text
    .replaceAll(key, 'Bearer KEY')
    .replaceAll(/"[\w+/]{15}="/g, '"EXTENDED_ID"')
    .replaceAll(/"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g, '"UUID"')
    .replaceAll(/(?<="(requestTimeEpoch|time)":"?)\d{13}/g, 'MS')
    .replaceAll(/^\d\d:\d\d:\d\d | \d+ ms(?= |$)/g, '')
    .replaceAll(/(?<="latency":")\d+/g, 'MS');

interface Exchange {
  handlers: Partial<Handlers>;
  /** What has been shown so far. */
  shown: string[];
  /** Whether the whole line of the access log is shown. */
  isWhole: boolean;
}

/** What the lines with > may use. */
const scopeOf = (exchange: Exchange) => ({
  ...{ handlers: exchange.handlers, decision, Readable, key, end: '\0'.repeat(8) },
  /** A streamed result of which these texts arrive one by one: of a PassThrough, all would at once. */
  begun: (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text))),
  fail: () => Promise.reject(new Error('a secret')),
  /** Shows the events of the authorizer and of an update. */
  events: () => {
    const showing = (result: unknown) => (event: unknown) => {
      exchange.shown.push(`@ ${masked(JSON.stringify(event))}`);
      return result;
    };
    exchange.handlers.Authorizer = showing(decision());
    exchange.handlers.UpdateInventory = showing({ statusCode: 200 });
  },
  access: () => {
    exchange.isWhole = true;
  },
});

/** Returns the headers of a response that are not those of every one. */
const unusualHeaders = ({ headers, text }: HttpResponse, extendedId: unknown): object => {
  const usual: Record<string, unknown> = {
    ...{ connection: headers.connection, date: headers.date },
    'x-amzn-requestid': requestId,
    'x-amz-apigw-id': extendedId,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  };
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => usual[name] !== value),
  );
};

/** Sends a request. Returns what its client and the readers of the log get to see. */
const send = async (message: Message, { handlers, isWhole }: Exchange): Promise<string[]> => {
  const logged = Promise.withResolvers<AccessRecord>();
  const api = apiWith(handlers);
  const url = await serveApi(api, logged.resolve);
  const headers = { 'x-amzn-RequestId': requestId, Host: 'api.test', ...message.headers };
  const response = await sendRaw(url, { ...message, headers });
  const record = await logged.promise;
  const access = accessLine(api.accessLogFormat, record);
  const { resourcePath, responseType, extendedRequestId } = JSON.parse(access);
  return [
    masked(`< ${response.status} ${JSON.stringify(unusualHeaders(response, extendedRequestId))}`),
    ...(response.text === '' ? [] : [`< ${response.text}`]),
    `~ ${masked(readableLine(record))}`,
    `~ ${isWhole ? masked(access) : `${resourcePath} ${responseType}`}`,
    ...printed.mock.calls.splice(0).map(([failure]) => `! ${String(failure).split('\n', 1)}`),
  ];
};

/** Returns an exchange as it goes now. */
const played = async (given: string[]): Promise<string> => {
  const updated = { statusCode: 200, headers: { ETag: '"7-sold"' }, body: '{"petId":1}' };
  const handlers: Partial<Handlers> = { UpdateInventory: () => updated };
  const exchange: Exchange = { handlers, shown: [], isWhole: false };
  const scope = scopeOf(exchange);
  const evaluated = (code: string) =>
    new Function(...Object.keys(scope), `return (${code})`)(...Object.values(scope));
  for (const line of given) {
    exchange.shown.push(line);
    const [, method, path = '', more] = /^\$ (\w+) (\S+) ?(.*)$/.exec(line) ?? [];
    if (line.startsWith('> ')) {
      evaluated(line.slice(2));
    } else if (method !== undefined) {
      const seen = await send({ method, path, ...evaluated(more || '{}') }, exchange);
      exchange.shown.push(...seen);
    }
  }
  return exchange.shown.join('\n');
};

for (const [index, block] of blocks.entries()) {
  test(block.slice('# '.length, block.indexOf('\n')), async () => {
    blocks[index] = await played(block.split('\n').filter((line) => /^[#>$] /.test(line)));
    if (!process.env.UPDATE_EXCHANGES) {
      expect(blocks[index]).toBe(block);
    }
  });
}
if (process.env.UPDATE_EXCHANGES) {
  afterAll(() => writeFileSync(file, `${blocks.join('\n\n')}\n`));
}
