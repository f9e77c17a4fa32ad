import { once } from 'node:events';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { streamedResponse } from '../../../functions/http/streamed-response.ts';

test.each(['identity', 'gzip'])(
  'a body (%s) that is not taken in time breaks off before Lambda ends the function',
  async (encoding) => {
    const endless = new Readable({ read() {} });
    endless.push('[');
    const event = { multiValueHeaders: { 'accept-encoding': [encoding] } } as unknown as APIGatewayProxyEvent;
    const lambdaEndsAt = Date.now() + 1_300;
    const context = { getRemainingTimeInMillis: () => lambdaEndsAt - Date.now() } as Context;

    const { body } = streamedResponse(event, context, endless);
    const [error] = await once(body as Readable, 'error');
    expect(error).toMatchObject({ name: 'AbortError' });
    expect(Date.now()).toBeLessThan(lambdaEndsAt);
  },
);
