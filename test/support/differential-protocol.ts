import {
  DynamoDBClient,
  type DynamoDBServiceException,
  GetItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { clientOf } from './dynamodb-clients.ts';
import { respond, ScriptedDynamodb } from './scripted-dynamodb.ts';

const numeral = fc.oneof(fc.bigInt().map(String), fc.double({ noNaN: true, noDefaultInfinity: true }).map(String));
const string = fc.string({ unit: 'binary', maxLength: 20 });

/** Every type of attribute but the binary ones, which the functions do not read. */
const { attribute } = fc.letrec<{ attribute: object }>((tie) => ({
  attribute: fc.oneof(
    { maxDepth: 3 },
    fc.record({ N: numeral }),
    fc.record({ S: string }),
    fc.record({ BOOL: fc.boolean() }),
    fc.record({ NULL: fc.constant(true) }),
    fc.record({ SS: fc.array(string, { minLength: 1, maxLength: 3 }) }),
    fc.record({ NS: fc.array(numeral, { minLength: 1, maxLength: 3 }) }),
    fc.record({ L: fc.array(tie('attribute'), { maxLength: 3 }) }),
    fc.record({ M: fc.dictionary(fc.stringMatching(/^\w{1,8}$/), tie('attribute'), { maxKeys: 3 }) }),
  ),
}));
const item = fc.dictionary(fc.stringMatching(/^\w{1,10}$/), attribute, { maxKeys: 4 });

const names = fc.constantFrom(
  'ConditionalCheckFailedException',
  'ProvisionedThroughputExceededException',
  'ResourceNotFoundException',
  'InternalServerError',
  'RequestLimitExceeded',
  'AccessDeniedException',
  'ValidationException',
  'SomethingNew',
);
const errors = fc.record({
  status: fc.constantFrom(400, 500, 503),
  type: fc.tuple(fc.constantFrom('com.amazonaws.dynamodb.v20120810#', 'com.amazon.coral.service#', ''), names),
  message: fc.record({ member: fc.constantFrom('message', 'Message'), text: fc.string({ minLength: 1 }) }),
});

const key = { TableName: 'table', Key: { petId: { N: '7' } } };
const update = { ...key, UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': { N: '1' } } };
const page = { Items: fc.array(item, { maxLength: 4 }), Count: fc.nat(), LastEvaluatedKey: item };

/** The operations that the functions use, and what each may come back with. */
const operations = fc.oneof(
  fc.record({ Item: item }, { requiredKeys: [] }).map((output) => ({
    command: () => new GetItemCommand({ ...key, ConsistentRead: true }),
    output,
  })),
  fc.record({ Attributes: item }, { requiredKeys: [] }).map((output) => ({
    command: () => new UpdateItemCommand(update) as unknown as GetItemCommand,
    output,
  })),
  fc.record(page, { requiredKeys: ['Items', 'Count'] }).map((output) => ({
    command: () => new ScanCommand({ TableName: 'table', Segment: 0, TotalSegments: 4 }) as unknown as GetItemCommand,
    output,
  })),
);
const noError = fc.constant(undefined);

/** What a caller sees: the output, or which error. */
const outcomeOf = async (client: DynamoDBClient, command: GetItemCommand): Promise<object> => {
  try {
    const { $metadata, ...output } = await client.send(command);
    return { output, status: $metadata.httpStatusCode };
  } catch (error) {
    const { name, message, $metadata, $fault } = error as DynamoDBServiceException;
    return { type: Object.getPrototypeOf(error), name, message, $fault, status: $metadata?.httpStatusCode };
  }
};

/** Has the functions' client and the SDK's own read the same responses, and asserts that both see and send the same. */
export const expectSameProtocol = async (numRuns: number): Promise<void> => {
  const dynamodb = new ScriptedDynamodb();
  const endpoint = await dynamodb.listen();
  const ours = await clientOf(endpoint, 1);
  const sdk = new DynamoDBClient({ endpoint, region: 'eu-west-1', maxAttempts: 1 });
  try {
    await fc.assert(
      fc.asyncProperty(operations, fc.oneof(noError, errors), async ({ command, output }, error) => {
        const errorBody = error && { __type: error.type.join(''), [error.message.member]: error.message.text };
        dynamodb.script(respond(error?.status ?? 200, JSON.stringify(errorBody ?? output)));
        const seen = await outcomeOf(ours, command());
        expect(seen).toEqual(await outcomeOf(sdk, command()));
        const [sent, sentBySdk] = dynamodb.received.map(({ headers, body: text }) => [
          headers['x-amz-target'],
          headers['content-type'],
          JSON.parse(text),
        ]);
        expect(sent).toEqual(sentBySdk);
      }),
      { numRuns, seed: 4 },
    );
  } finally {
    sdk.destroy();
    dynamodb.close();
  }
};
