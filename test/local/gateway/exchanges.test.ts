// What a client gets for a request, what the functions get of it, and what is logged and printed.
// In exchanges.txt, a request is
//
//     $ METHOD /path {"Name":"value","Sent twice":["1","2"]}
//     $$ its body, byte by byte if it has a Transfer-Encoding
//
// and has a valid key, KEY, unless it says otherwise. (x × 3) stands for xxx. What comes of it:
//
//     < the status {"name":"value"}, without the headers that every response has
//     < its body
//     ~ an event of a function, after `> shows events`
//     ~ the line of the access log for people
//     ~ of its line for programs, the resource and the type of the response; after `> shows log`, all
//     ! the name of an error that is printed
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, jest } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import type { RestApi } from '../../../local/gateway/rest-api.ts';
import { type AccessRecord, accessLine, readableLine } from '../../../local/log/access-log.ts';
import { type HttpResponse, sendRaw } from '../../support/http/raw-request.ts';
import {
  apiWith,
  decision,
  type Handler,
  type Handlers,
  serveApi,
} from '../../support/http/serve-api.ts';
import { type Act, recorded, whole as writtenOut } from '../../support/recorded.ts';

const key = createApiKey('staging');

let printed: jest.Spied<typeof console.error>;
beforeEach(() => {
  printed = jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => void jest.restoreAllMocks());

const whole = (text: string): string => writtenOut(text).replaceAll('KEY', key);

/** Returns a stream of chunks, which fails at one that says FAILS. */
const streamOf = (chunks: (string | Buffer)[]): Readable =>
  Readable.from(
    (async function* () {
      for (const chunk of chunks) {
        if (chunk === 'FAILS') {
          throw new Error('late');
        }
        yield Buffer.from(chunk);
      }
    })(),
  );
const bytesOf = (text: string): Buffer[] => [...Buffer.from(text)].map((byte) => Buffer.of(byte));

/** What a line with > makes a function do, whose name comes before, and the text after it. */
const doings: Record<string, (text: string) => Handler> = {
  fails: () => () => Promise.reject(new Error('a secret')),
  denies: () => () => decision('Deny'),
  returns: (json) => () => JSON.parse(json),
  /** Returns the length of the body of a request. */
  counts: () => (event) => ({ statusCode: 200, body: String(event.body.length) }),
  /** Streams chunks, which have ` | ` between them. A PassThrough would join them. */
  streams: (text) => () => streamOf(whole(text).split(' | ')),
  /** Streams each byte on its own. */
  drips: (text) => () => streamOf(bytesOf(whole(text))),
};

const usual: Handlers = {
  Authorizer: () => decision(),
  ListInventory: () => streamOf([whole('{"statusCode":200}(\\0 × 8)[]')]),
  UpdateInventory: () => ({ statusCode: 200, headers: { ETag: '"7-sold"' }, body: '{"petId":1}' }),
};

/** Returns a function that replaces what differs from run to run. Ids are told apart. */
const masking = () => {
  const ids: string[] = [];
  const numbered = (id: string) => `ID_${ids.indexOf(id) + 1 || ids.push(id)}`;
  return (text: string): string =>
    text
      .replaceAll(key, 'KEY')
      .replaceAll(/(?<=")([\w+/]{15}=|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=")/g, numbered)
      .replaceAll(/(?<="(requestTimeEpoch|time)":"?)\d{13}/g, 'MS')
      .replaceAll(/(?<=^~ )\d\d:\d\d:\d\d | \d+ ms(?= |$)/g, '')
      .replaceAll(/(?<="latency":")\d+/g, 'MS');
};

/** Returns the headers of a response that are not those of every one. */
const unusualHeaders = ({ headers, text }: HttpResponse, ids: Record<string, unknown>): object => {
  const every: Record<string, unknown> = {
    ...{ connection: headers.connection, date: headers.date },
    'x-amzn-requestid': ids.requestId,
    'x-amz-apigw-id': ids.extendedRequestId,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  };
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => every[name] !== value),
  );
};

/** Returns the name of an error that was printed, and its code: Node and V8 choose all other words. */
const namesOf = (failure: string): string => {
  const [name] = /^\w+/.exec(failure) ?? [];
  const [code] = /(?<=code: ')\w+/.exec(failure) ?? [];
  return [name, code].filter(Boolean).join(' ');
};

interface Exchange {
  handlers: Handlers;
  /** What is shown besides, `events` or `log`. */
  shows: Set<string>;
  /** The lines so far. */
  lines: string[];
}

/** Returns what makes a function do what a line with > says. */
const doing =
  ({ handlers }: Exchange, name: keyof Handlers) =>
  (line: string) => {
    const [, does = '', text = ''] = /^(\w+) ?(.*)$/.exec(line) ?? [];
    handlers[name] = doings[does]?.(text) as Handler;
  };

/** Returns the API of an exchange, which shows the events of its functions if it is to. */
const apiOf = ({ handlers, shows, lines }: Exchange) => {
  const showing = (name: keyof Handlers) => (event: unknown) => {
    if (shows.has('events')) {
      lines.push(`~ ${name} ${JSON.stringify(event)}`);
    }
    return handlers[name](event);
  };
  return apiWith({
    Authorizer: showing('Authorizer'),
    ListInventory: showing('ListInventory'),
    UpdateInventory: showing('UpdateInventory'),
  });
};

/** Sends as many requests to each method as it may have, while time stands still. */
const useUp = ({ resources }: RestApi): void => {
  jest.spyOn(performance, 'now').mockReturnValue(0);
  for (const { allowsRequest } of resources.flatMap(({ methods }) => [...methods.values()])) {
    while (allowsRequest()) {}
  }
};

/** Sends a request, and shows what its client gets, and what is logged of it. */
const send = async (
  { shows, lines }: Exchange,
  api: RestApi,
  { text: line, body }: Act,
): Promise<void> => {
  const [, method, path = '', given = ''] = /^(\w+) (\S+) ?(.*)$/.exec(line) ?? [];
  const logged = Promise.withResolvers<AccessRecord>();
  const url = await serveApi(api, logged.resolve);
  const headers = {
    ...{ Host: 'localhost', Authorization: `Bearer ${key}` },
    ...JSON.parse(whole(given || '{}')),
  };
  const text = body && whole(body);
  const isChunked = 'Transfer-Encoding' in headers;
  const response = await sendRaw(url, {
    ...{ method, path, headers, body: isChunked ? bytesOf(text ?? '') : text },
  });
  const record = await logged.promise;
  const access = accessLine(api.accessLogFormat, record);
  const { resourcePath, responseType, ...ids } = JSON.parse(access);
  lines.push(
    `< ${response.status} ${JSON.stringify(unusualHeaders(response, ids))}`,
    ...(response.text === '' ? [] : [`< ${response.text}`]),
    `~ ${readableLine(record)}`,
    `~ ${shows.has('log') ? access : `${resourcePath} ${responseType}`}`,
    ...printed.mock.calls.splice(0).map(([failure]) => `! ${namesOf(failure)}`),
  );
};

recorded(join(import.meta.dirname, 'exchanges.txt'), () => {
  const exchange: Exchange = { handlers: { ...usual }, shows: new Set(), lines: [] };
  const api = apiOf(exchange);
  const mask = masking();
  return {
    situations: {
      Authorizer: doing(exchange, 'Authorizer'),
      ListInventory: doing(exchange, 'ListInventory'),
      UpdateInventory: doing(exchange, 'UpdateInventory'),
      shows: (what) => exchange.shows.add(what),
      'too many requests': () => useUp(api),
    },
    act: async (request) => {
      await send(exchange, api, request);
      return exchange.lines.splice(0).map(mask);
    },
  };
});
