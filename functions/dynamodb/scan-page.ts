import type { Readable } from 'node:stream';
import { DynamoDBClient, ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { clientOptions } from './client-options.ts';
import type { PageBuffer } from './page-buffer.ts';

/**
 * More patient than the other functions' client, because a list that breaks off is lost as a whole:
 * 8 attempts, each of at most 2 s to the first byte and 2 s of silence after it. With at most 52 s of
 * backoff between them they end before the function's limit of 5 minutes (infra/inventory-stack.ts).
 */
const client = new DynamoDBClient({
  requestHandler: { ...clientOptions.requestHandler, socketTimeout: 2_000 },
  maxAttempts: 8,
});

/** A page as DynamoDB writes it: each number is its numeral. */
export type ScanPage = Pick<ScanCommandOutput, 'Items' | 'LastEvaluatedKey'>;

/** Reads one page of a scan, a ScanPage in JSON, into a buffer. */
export const scanPage = async (input: ScanCommandInput, page: PageBuffer, abortSignal: AbortSignal): Promise<void> => {
  const command = new ScanCommand(input);
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as { statusCode: number; body: Readable | Uint8Array };
      if (response.statusCode === 200) {
        // The SDK's deserializer would take 3.5 times as long as JSON.parse, which is most of a list's CPU:
        // it is left nothing to read. Signing, endpoints, retries and errors stay the SDK's.
        await page.fill(response.body as Readable);
        response.body = new Uint8Array();
      }
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
  await client.send(command, { abortSignal });
};
