import {
  DynamoDBClient,
  type DynamoDBServiceException,
  GetItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DynamodbClient } from '../../../functions/dynamodb/dynamodb-client.ts';
import { clientOf, respond, startDynamodb } from '../../support/dynamodb/dynamodb.ts';
import type { Passing } from '../../support/dynamodb/dynamodb-proxy.ts';
import { anyCharacter } from '../../support/functions/any-character.ts';

const numeral = fc.oneof(
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);
const string = fc.string({ unit: anyCharacter, maxLength: 20 });
const few = { minLength: 1, maxLength: 3 };

/** Items with attributes of every type except the binary ones, which the functions do not read. */
const { item } = fc.letrec<{ attribute: object; item: object }>((tie) => {
  const scalars = { N: numeral, S: string, BOOL: fc.boolean(), NULL: fc.constant(true) };
  const sets = { SS: fc.array(string, few), NS: fc.array(numeral, few) };
  const lists = { L: fc.array(tie('attribute'), { maxLength: 3 }), M: tie('item') };
  const types = Object.entries<fc.Arbitrary<unknown>>({ ...scalars, ...sets, ...lists });
  return {
    attribute: fc.oneof(
      { maxDepth: 3 },
      ...types.map(([type, value]) => fc.record({ [type]: value })),
    ),
    item: fc.dictionary(fc.stringMatching(/^\w{1,10}$/), tie('attribute'), { maxKeys: 4 }),
  };
});

const Key = { petId: { N: '7' }, name: { S: 'é' } };
const update = {
  TableName: 'é',
  Key,
  UpdateExpression: 'SET a = :a',
  ExpressionAttributeValues: { ':a': { N: '1' } },
};
const page = { Items: fc.array(item, { maxLength: 4 }), Count: fc.nat(), LastEvaluatedKey: item };

const errorNames = [
  'ConditionalCheckFailedException',
  'InternalServerError',
  'ValidationException',
  'SomethingNew',
];
const error = fc
  .tuple(
    fc.constantFrom('com.amazonaws.dynamodb.v20120810#', 'com.amazon.coral.service#', ''),
    fc.constantFrom(...errorNames),
    fc.constantFrom('message', 'Message'),
    fc.string({ minLength: 1 }),
  )
  .map(([namespace, name, member, text]) => ({ __type: namespace + name, [member]: text }));

const dynamodb = await startDynamodb();
const endpoint = `${dynamodb.endpoint}/path/`;
const ours = await clientOf(endpoint, 1);
// The SDK's client finds its region and credentials in the environment.
const sdk = new DynamoDBClient({ endpoint, maxAttempts: 1 });
afterAll(() => sdk.destroy());

/** Returns what a caller sees of a command: its output or its error. */
const outcomeOf = async (
  client: DynamoDBClient | DynamodbClient,
  command: object,
): Promise<object> => {
  try {
    const { $metadata, ...output } = await (client as DynamoDBClient).send(
      command as GetItemCommand,
    );
    return { output, status: $metadata.httpStatusCode, requestId: $metadata.requestId };
  } catch (error) {
    const { name, message, $metadata, $fault } = error as DynamoDBServiceException;
    return {
      type: Object.getPrototypeOf(error),
      name,
      message,
      $fault,
      status: $metadata?.httpStatusCode,
    };
  }
};

/** Returns a request without the headers that identify, date or sign it. */
const sentAs = ({ body, response }: Passing): object => {
  const { method, url, headers } = response.req;
  const own =
    /^(user-agent|x-amz-(user-agent|date|content-sha256)|amz-sdk-invocation-id|authorization)$/;
  const others = Object.entries(headers).filter(([name]) => !own.test(name));
  return { method, url, body, headers: Object.fromEntries(others) };
};

/** The operations that the functions use, each with a command and the outputs that it may have. */
test.each([
  {
    operation: 'GetItem',
    command: () => new GetItemCommand({ TableName: 'table', Key, ConsistentRead: true }),
    output: fc.record({ Item: item }, { requiredKeys: [] }),
  },
  {
    operation: 'UpdateItem',
    command: () => new UpdateItemCommand(update),
    output: fc.record({ Attributes: item }, { requiredKeys: [] }),
  },
  {
    operation: 'Scan',
    command: () => new ScanCommand({ TableName: 'table', Segment: 0, TotalSegments: 4 }),
    output: fc.record(page, { requiredKeys: ['Items', 'Count'] }),
  },
])(
  "the functions send $operation and read its response as the SDK's own client does",
  async ({ command, output }) => {
    const response = fc.oneof(
      fc.record({ status: fc.constant(200), body: output }),
      fc.record({ status: fc.constantFrom(400, 500, 503), body: error }),
    );
    await fc.assert(
      fc.asyncProperty(response, async ({ status, body }) => {
        dynamodb.script(respond(status, JSON.stringify(body), { 'x-amzn-requestid': 'id-1' }));
        expect(await outcomeOf(ours, command())).toStrictEqual(await outcomeOf(sdk, command()));
        const [sent, sentBySdk] = dynamodb.received.map(sentAs);
        expect(sent).toStrictEqual(sentBySdk);
      }),
      { numRuns: 30, seed: 4 },
    );
  },
);
