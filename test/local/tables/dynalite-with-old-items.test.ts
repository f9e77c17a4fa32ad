import {
  ConditionalCheckFailedException,
  DynamoDB,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { localCredentials } from '../../../local/tables/tables.ts';
import { createTable } from '../../support/dynamodb/create-table.ts';
import { startEngine } from '../../support/dynamodb/engine.ts';

const pet = { petId: { N: '1' }, quantity: { N: '7' }, status: { S: 'available' } };
let client: DynamoDB;
let stop: () => void;

beforeAll(async () => {
  const engine = await startEngine();
  stop = engine.stop;
  client = new DynamoDB({
    endpoint: engine.endpoint,
    region: 'us-east-1',
    credentials: localCredentials,
  });
  await createTable(client, { name: 'pets', key: 'petId', type: 'N' });
  await client.putItem({ TableName: 'pets', Item: pet });
});

afterAll(() => {
  client.destroy();
  stop();
});

/** Returns the error of an update whose condition does not hold. */
const failUpdate = (input: Partial<UpdateItemCommandInput>): Promise<unknown> =>
  client
    .updateItem({
      TableName: 'pets',
      Key: { petId: pet.petId },
      UpdateExpression: 'SET quantity = :new',
      ConditionExpression: 'quantity = :old',
      ExpressionAttributeValues: { ':new': { N: '4' }, ':old': { N: '6' } },
      ...input,
    })
    .then(
      () => {
        throw new Error('The condition held.');
      },
      (error) => error,
    );

test.each([
  {
    what: 'the item, if ALL_OLD asks for it',
    input: { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
    Item: pet,
  },
  {
    what: 'no item that does not exist',
    input: { ReturnValuesOnConditionCheckFailure: 'ALL_OLD', Key: { petId: { N: '2' } } },
    Item: undefined,
  },
  {
    what: 'no item with NONE',
    input: { ReturnValuesOnConditionCheckFailure: 'NONE' },
    Item: undefined,
  },
  { what: 'no item that nobody asked for', input: {}, Item: undefined },
] as const)('an update whose condition does not hold returns $what', async ({ input, Item }) => {
  const error = await failUpdate(input);
  expect(error).toBeInstanceOf(ConditionalCheckFailedException);
  expect((error as ConditionalCheckFailedException).Item).toEqual(Item);
  const { Item: stored } = await client.getItem({ TableName: 'pets', Key: { petId: pet.petId } });
  expect(stored).toEqual(pet);
});

test('another value of the parameter is refused', async () => {
  const input = { ReturnValuesOnConditionCheckFailure: 'ALL_NEW' as 'NONE' };
  await expect(failUpdate(input)).resolves.toMatchObject({ name: 'ValidationException' });
});
