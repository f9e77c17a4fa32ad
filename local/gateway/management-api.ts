import type { RequestListener } from 'node:http';
import { forPrograms } from '../shared/local-server.ts';
import type { RestApi } from './rest-api.ts';

/**
 * Whether a URL belongs to API Gateway's management API and not to the REST API: no stage is named
 * restapis.
 */
export const isManagement = (url: string): boolean => url.startsWith('/restapis/');

/**
 * Serves the only management operation that operators need, the flush of the authorizer cache, at
 * the SDK's path.
 */
export const managementApi = ({ id, stageName, flushAuthorizersCache }: RestApi): RequestListener =>
  forPrograms(({ method, url }, response) => {
    if (method !== 'DELETE' || url !== `/restapis/${id}/stages/${stageName}/cache/authorizers`) {
      response
        .writeHead(404, { 'x-amzn-ErrorType': 'NotFoundException' })
        .end('{"message":"Not Found"}');
      return;
    }
    flushAuthorizersCache();
    response.writeHead(202).end();
  });
