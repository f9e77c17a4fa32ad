import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { client, dynamodbClient } from '../dynamodb/dynamodb-client.ts';
import { TransientError } from '../dynamodb/transient-error.ts';
import { pageAttempts } from '../shared/time-limits.ts';
import type { PageBuffer } from './page-buffer.ts';
import type { StoredEntry } from './stored-entry.ts';

/**
 * For the pages after the first: more attempts, because a list that breaks off is lost as a whole.
 * Made when a list first needs it, which one of a small table never does.
 */
let patientClient: typeof client | undefined;

const clientFor = ({ Segment }: ScanCommandInput): typeof client => {
  if (Segment === undefined) {
    return client;
  }
  patientClient ??= dynamodbClient(pageAttempts);
  return patientClient;
};

/** What is left of a response that has been read. */
const nothing = '{}';

/** A page as DynamoDB writes it. */
export interface ScanPage {
  Items: StoredEntry[];
  LastEvaluatedKey?: ScanCommandOutput['LastEvaluatedKey'];
}

interface Response {
  statusCode: number;
  headers: Record<string, string | undefined>;
  body: Readable;
}

/** Reads one page of a scan, a ScanPage in JSON, into a buffer. */
export const scanPage = async (input: ScanCommandInput, page: PageBuffer, abortSignal: AbortSignal): Promise<void> => {
  const command = new ScanCommand(input);
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as Response;
      if (response.statusCode === 200) {
        // The SDK's deserializer would take 3.5 times as long as JSON.parse, which is most of a list's CPU:
        // it is left nothing to read. Signing, endpoints, retries and errors stay the SDK's.
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

/** @throws TransientError while it can be tried again: all that is wrong with a page has to show here. */
const read = async (page: PageBuffer, { headers, body }: Response): Promise<void> => {
  try {
    await page.fill(body);
    if (page.crc32() !== Number(headers['x-amz-crc32'])) {
      throw new TypeError('Its checksum is missing or another.');
    }
  } catch (cause) {
    throw new TransientError('A page of DynamoDB cannot be read.', { cause });
  }
};
