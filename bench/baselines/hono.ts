import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { inventoryUpdate } from './inventory-update.ts';

const updateInventory = inventoryUpdate(new DynamoDBClient({}));

const app = new Hono();
app.patch('/v1/inventory/:petId', async (context) => {
  const { quantity } = await context.req.json();
  const body = await updateInventory(BigInt(context.req.param('petId')), quantity);
  return context.body(body, 200, { 'Content-Type': 'application/json' });
});

/** A Hono application behind its adapter for Lambda. */
export const handler = handle(app);
