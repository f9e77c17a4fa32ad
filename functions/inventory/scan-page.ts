import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import type { HttpResponse } from '@smithy/types';
import { type RequestOptions, reportAttempts } from '../dynamodb/attempts.ts';
import { client, dynamodbClient } from '../dynamodb/dynamodb-client.ts';
import { TransientError } from '../dynamodb/transient-error.ts';
import { pageAttempts } from '../shared/time-limits.ts';
import type { PageBuffer } from './page-buffer.ts';

/**
 * The client for the pages after the first. It makes more attempts, because a list that is cut off
 * is lost as a whole. It is created when a list first needs it; the list of a small table never
 * does.
 */
let persistentClient: typeof client | undefined;

const clientFor = ({ Segment }: ScanCommandInput): typeof client => {
  if (Segment === undefined) {
    return client;
  }
  persistentClient ??= dynamodbClient(pageAttempts);
  return persistentClient;
};

/** The body that the SDK gets in place of the one that was read here. */
const nothing = '{}';

/** Reads one page of a scan into a buffer, which then holds its JSON. */
export const scanPage = async (
  input: ScanCommandInput,
  page: PageBuffer,
  options: RequestOptions,
): Promise<void> => {
  const command = new ScanCommand(input);
  reportAttempts(command, options);
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as HttpResponse;
      if (response.statusCode === 200) {
        // The SDK would parse the body, which takes most of a list's CPU. So the body is read here,
        // and the SDK gets an empty one. It still does the signing, retries and errors.
        await read(page, response);
        response.body = Readable.from([nothing]);
        response.headers['x-amz-crc32'] = String(crc32(nothing));
      }
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
  await clientFor(input).send(command, { abortSignal: options.signal });
};

/**
 * @throws TransientError for everything that is wrong with a page, because only here can the SDK
 * still retry it
 */
const read = async (page: PageBuffer, { headers, body }: HttpResponse): Promise<void> => {
  try {
    await page.fill(body);
    if (page.crc32() !== Number(headers['x-amz-crc32'])) {
      throw new TypeError('Its checksum is missing or wrong.');
    }
  } catch (cause) {
    throw new TransientError('A page from DynamoDB cannot be read.', { cause });
  }
};
