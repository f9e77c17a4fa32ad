import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { configure } from '@codegenie/serverless-express';
import express from 'express';
import { inventoryUpdate } from './inventory-update.ts';

const updateInventory = inventoryUpdate(new DynamoDBClient({}));

const app = express();
app.use(express.json());
app.patch('/v1/inventory/:petId', async (request, response) => {
  const body = await updateInventory(BigInt(request.params.petId), request.body.quantity);
  response.type('application/json').send(body);
});

/** An Express application behind its adapter for Lambda. */
export const handler = configure({ app });
