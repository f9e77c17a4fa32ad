import type { RequestListener } from 'node:http';
import { forPrograms } from '../shared/local-server.ts';
import type { RestApi } from './rest-api.ts';

/** Whether a request is for API Gateway itself and not for an API; no stage is named restapis. */
export const isManagement = (url: string): boolean => url.startsWith('/restapis/');

/** The one operation of API Gateway's own API that operators need, where the SDK looks for it. */
export const managementApi = ({ id, stageName, flushAuthorizersCache }: RestApi): RequestListener =>
  forPrograms(({ method, url }, response) => {
    if (method !== 'DELETE' || url !== `/restapis/${id}/stages/${stageName}/cache/authorizers`) {
      response.writeHead(404, { 'x-amzn-ErrorType': 'NotFoundException' }).end('{"message":"Not Found"}');
      return;
    }
    flushAuthorizersCache();
    response.writeHead(202).end();
  });
