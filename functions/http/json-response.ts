import type { APIGatewayProxyResult } from 'aws-lambda';
import { toJson } from '../shared/json.ts';

/** A proxy result with a JSON body. */
export const jsonResponse = (statusCode: number, body: unknown): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json' },
  body: toJson(body),
});
