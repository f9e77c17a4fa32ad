import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { expectSameProtocol } from '../../support/differential-protocol.ts';
import { clientOf } from '../../support/dynamodb-clients.ts';
import { respond, ScriptedDynamodb } from '../../support/scripted-dynamodb.ts';

test("responses are read as the SDK's own client reads them", () => expectSameProtocol(200));

test.each([
  ['of another checksum', respond(200, '{}', { 'x-amz-crc32': '1' }), 'Its checksum is missing or another.'],
  ['that is no object', respond(200, '[]'), 'It is no object.'],
])('a response %s cannot be read, and the error says why', async (_what, script, why) => {
  const dynamodb = new ScriptedDynamodb();
  dynamodb.script(script);
  const client = await clientOf(await dynamodb.listen(), 1);
  await expect(client.send(new GetItemCommand({ TableName: 'keys', Key: {} }))).rejects.toMatchObject({
    message: 'The response of DynamoDB cannot be read.',
    cause: new TypeError(why),
  });
  dynamodb.close();
});

test('a response keeps its status and the id of its request', async () => {
  const dynamodb = new ScriptedDynamodb();
  dynamodb.script(respond(200, '{}', { 'x-amzn-requestid': 'id-1' }));
  const client = await clientOf(await dynamodb.listen());
  const { $metadata } = await client.send(new GetItemCommand({ TableName: 'keys', Key: {} }));
  expect($metadata).toMatchObject({ httpStatusCode: 200, requestId: 'id-1' });
  dynamodb.close();
});
