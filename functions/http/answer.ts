import type { APIGatewayProxyResult } from 'aws-lambda';
import { toJson } from './json.ts';

/** A proxy result with a JSON body. */
export const answer = (statusCode: number, body: unknown): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json' },
  body: toJson(body),
});
