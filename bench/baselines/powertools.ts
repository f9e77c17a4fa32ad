import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { inventoryUpdate } from './inventory-update.ts';

const options = { serviceName: 'inventory' };
const logger = new Logger(options);
const metrics = new Metrics({ ...options, namespace: 'petstore' });
const updateInventory = inventoryUpdate(new DynamoDBClient({}));

/** In the style of the examples of Powertools for AWS Lambda: logger and metrics as middleware. */
export const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
  .use(injectLambdaContext(logger))
  .use(logMetrics(metrics, { captureColdStartMetric: true }))
  .handler(async (event) => {
    const petId = BigInt(event.pathParameters?.petId ?? '');
    const { quantity } = JSON.parse(event.body ?? '');
    const body = await updateInventory(petId, quantity);
    logger.info('Inventory updated', { petId, quantity });
    metrics.addMetric('inventoryUpdated', MetricUnit.Count, 1);
    return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body };
  });
