import { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { handler as updateInventory } from '../../functions/update-inventory.ts';

const logger = new Logger({ serviceName: 'inventory' });

/** Ours, and one log line a request. */
export const handler = (event: APIGatewayProxyEvent, context: Context) => {
  logger.addContext(context);
  logger.info('Inventory updated', { petId: event.pathParameters?.petId });
  return updateInventory(event, context);
};
