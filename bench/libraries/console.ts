import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { handler as updateInventory } from '../../functions/update-inventory.ts';

/** Ours, and one log line a request, without a library. */
export const handler = (event: APIGatewayProxyEvent, context: Context) => {
  const { awsRequestId } = context;
  console.info(JSON.stringify({ message: 'Inventory updated', petId: event.pathParameters?.petId, awsRequestId }));
  return updateInventory(event, context);
};
