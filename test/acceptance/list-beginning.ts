import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { violations } from '../support/http/openapi.ts';
import { exactIntegers, type HttpResponse, open } from '../support/http/raw-request.ts';
import type { InventoryItem } from './service.ts';

interface ListBeginning {
  items: InventoryItem[];
  headers: HttpResponse['headers'];
  /** Whether these are all entries. Else the list was closed before its end. */
  isWhole: boolean;
}

/** A list may get a 429 so often before its check fails. */
const retries = 3;

/**
 * Reads the list of a service, compressed, until it has this many entries, and closes it. Throws if
 * what was read breaks openapi.yaml.
 */
export const listBeginning = async (
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  limit: number,
): Promise<ListBeginning> => {
  const path = '/inventory';
  const message = {
    path,
    headers: { Authorization: `Bearer ${apiKey}`, 'Accept-Encoding': 'gzip' },
  };
  let response = await open(baseUrl, message);
  for (let left = retries; left > 0 && response.statusCode === 429; left -= 1) {
    response.resume();
    await sleep(1_000 * Number(response.headers['retry-after']));
    response = await open(baseUrl, message);
  }
  const { statusCode: status = 0, headers } = response;
  const isCompressed = headers['content-encoding'] === 'gzip';
  const body = isCompressed ? response.pipe(createGunzip()) : response;
  const { text, isWhole } = await arrayIn(body, limit);
  response.destroy();

  const url = new URL(baseUrl).pathname + path;
  const problems = violations('GET', url, { status, headers, text });
  if (status !== 200 || problems.length > 0) {
    throw new Error(`GET ${path} responded ${status}\n${problems.join('\n').slice(0, 1_000)}`);
  }
  return { items: JSON.parse(text, exactIntegers) as InventoryItem[], headers, isWhole };
};

/** Reads an array of flat objects until it has this many, or until it ends, as JSON. */
const arrayIn = async (
  body: AsyncIterable<Buffer>,
  limit: number,
): Promise<{ text: string; isWhole: boolean }> => {
  const decoder = new TextDecoder();
  let text = '';
  let end = 0;
  let count = 0;
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    for (let next = text.indexOf('}', end); next !== -1; next = text.indexOf('}', end)) {
      end = next + 1;
      count += 1;
      if (count === limit) {
        return { text: `${text.slice(0, end)}]`, isWhole: false };
      }
    }
  }
  return { text, isWhole: true };
};
