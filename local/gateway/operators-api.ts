import type { RequestListener } from 'node:http';
import { forPrograms } from '../shared/local-server.ts';
import type { RestApi } from './rest-api.ts';

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

/** The path of the SDK's FlushStageAuthorizersCache. */
const cachePath = (stageName: string) => `/restapis/local/stages/${stageName}/cache/authorizers`;

/** Whether a URL belongs to operators and not to the REST API: no stage has such a name. */
export const isForOperators = (url: string): boolean =>
  url === descriptionPath || url.startsWith('/restapis/');

/** Serves what the petstore command requests of a local run, and of API Gateway on AWS. */
export const operatorsApi = (api: RestApi, description: RunDescription): RequestListener =>
  forPrograms(({ method, url }, response) => {
    if (url === descriptionPath) {
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(description));
    } else if (method === 'DELETE' && url === cachePath(api.stageName)) {
      api.flushAuthorizersCache();
      response.writeHead(202).end();
    } else {
      response.writeHead(404).end('{"message":"Not Found"}');
    }
  });
