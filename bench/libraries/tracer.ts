import { Tracer } from '@aws-lambda-powertools/tracer';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { handler as updateInventory } from '../../functions/update-inventory.ts';

const tracer = new Tracer({ serviceName: 'inventory' });

/** Ours, and one trace segment a request. */
export const handler = (event: APIGatewayProxyEvent, context: Context) =>
  tracer.provider.captureAsyncFunc('updateInventory', async (segment) => {
    try {
      return await updateInventory(event, context);
    } finally {
      segment?.close();
    }
  });
