import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { handler as updateInventory } from '../../functions/update-inventory.ts';

const metrics = new Metrics({ namespace: 'petstore', serviceName: 'inventory' });

/** Ours, and one metric a request. */
export const handler = (event: APIGatewayProxyEvent, context: Context) => {
  metrics.addMetric('inventoryUpdated', MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
  return updateInventory(event, context);
};
