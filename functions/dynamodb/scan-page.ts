import { Readable } from 'node:stream';
import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { dynamodbClient } from './dynamodb-client.ts';
import type { PageBuffer } from './page-buffer.ts';

/**
 * More patient than the other functions' client, because a list that breaks off is lost as a whole.
 * 8 attempts of 2 s of silence, and at most 52 s between them, end before the list's limit (infra/time-limits.ts).
 */
const client = dynamodbClient(8);

/** A page as DynamoDB writes it: each number is its numeral. */
export type ScanPage = Pick<ScanCommandOutput, 'Items' | 'LastEvaluatedKey'>;

/** Reads one page of a scan, a ScanPage in JSON, into a buffer. */
export const scanPage = async (input: ScanCommandInput, page: PageBuffer, abortSignal: AbortSignal): Promise<void> => {
  const command = new ScanCommand(input);
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as { statusCode: number; body: Readable };
      if (response.statusCode === 200) {
        // The SDK's deserializer would take 3.5 times as long as JSON.parse, which is most of a list's CPU:
        // it is left nothing to read. Signing, endpoints, retries and errors stay the SDK's.
        await page.fill(response.body);
        response.body = Readable.from(['{}']);
      }
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
  await client.send(command, { abortSignal });
};
