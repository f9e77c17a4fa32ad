import type { RequestListener } from 'node:http';
import { forPrograms } from '../shared/local-server.ts';

/** What the petstore command needs to work on a local run, as JSON. */
export interface RunDescription {
  stageName: string;
  /** Ends in `/v1`. */
  baseUrl: string;
  /** The DynamoDB engine, and the names of the tables. */
  dynamodb: { endpoint: string; inventory: string; apiKeys: string };
}

/** Where a local run describes itself. */
export const descriptionPath = '/petstore-local-run';

/** Serves what the petstore command requests of a local run. */
export const operatorsApi = (description: RunDescription): RequestListener =>
  forPrograms((_message, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(description));
  });
