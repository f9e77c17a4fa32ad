import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import {
  ScanCommand,
  type ScanCommandInput,
  type ScanCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { HttpResponse } from '@smithy/types';
import { client, dynamodbClient } from '../dynamodb/dynamodb-client.ts';
import { TransientError } from '../dynamodb/transient-error.ts';
import { pageAttempts } from '../shared/time-limits.ts';
import type { PageBuffer } from './page-buffer.ts';
import type { StoredEntry } from './stored-entry.ts';

/**
 * The client for the pages after the first. It makes more attempts, because a list that is cut off
 * is lost as a whole. It is created when a list first needs it; the list of a small table never
 * does.
 */
let patientClient: typeof client | undefined;

const clientFor = ({ Segment }: ScanCommandInput): typeof client => {
  if (Segment === undefined) {
    return client;
  }
  patientClient ??= dynamodbClient(pageAttempts);
  return patientClient;
};

/** The body that the SDK gets in place of the one that was read here. */
const nothing = '{}';

/** The JSON of a page as DynamoDB sends it. */
export interface ScanPage {
  Items: StoredEntry[];
  LastEvaluatedKey?: ScanCommandOutput['LastEvaluatedKey'];
}

/** Reads one page of a scan into a buffer, which then holds a ScanPage in JSON. */
export const scanPage = async (
  input: ScanCommandInput,
  page: PageBuffer,
  abortSignal: AbortSignal,
): Promise<void> => {
  const command = new ScanCommand(input);
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as HttpResponse;
      if (response.statusCode === 200) {
        // Parsing takes most of a list's CPU, and the SDK's deserializer takes 3.5 times as long as
        // JSON.parse. So the body is read here, and the SDK gets an empty one. It still does the
        // signing, endpoints, retries and errors.
        await read(page, response);
        response.body = Readable.from([nothing]);
        response.headers['x-amz-crc32'] = String(crc32(nothing));
      }
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
  await clientFor(input).send(command, { abortSignal });
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
