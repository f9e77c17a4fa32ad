import { addAbortSignal, pipeline, type Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { deadlineSignal } from '../shared/time-limits.ts';
import { acceptsGzip } from './accepts-gzip.ts';
import { requestHeader } from './request-header.ts';

/** What middy's streamify mode takes for an answer. */
export type StreamedResponse = Omit<APIGatewayProxyResult, 'body'> & { body: Readable | string };

// Leaves 24 % of a list of 19-digit petIds. Level 1 leaves 7 % more in the same time; level 6 leaves
// 7 % less in 2.6 times the time.
const level = 2;

/** A 200 that streams a JSON body, compressed if the client takes that. */
export const streamedResponse = (event: APIGatewayProxyEvent, context: Context, body: Readable): StreamedResponse => {
  // A function that runs into its limit is killed without a word; the stream breaks off before.
  addAbortSignal(deadlineSignal(context), body);
  const headers = { 'Content-Type': 'application/json', Vary: 'Accept-Encoding' };
  if (!acceptsGzip(requestHeader(event, 'accept-encoding'))) {
    return { statusCode: 200, headers, body };
  }
  // What ends one of the two ends the other, and whoever reads the result hears of it.
  const gzip = pipeline(body, createGzip({ level }), () => {});
  return { statusCode: 200, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: gzip };
};
