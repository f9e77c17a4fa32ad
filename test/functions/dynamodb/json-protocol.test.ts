import {
  DynamoDBClient,
  type DynamoDBServiceException,
  GetItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { clientOf, getItem, type Received, respond, ScriptedDynamodb } from '../../support/scripted-dynamodb.ts';

const numRuns = Number(process.env.DIFFERENTIAL_CASES ?? 200);

const numeral = fc.oneof(fc.bigInt().map(String), fc.double({ noNaN: true, noDefaultInfinity: true }).map(String));
const string = fc.string({ unit: 'binary', maxLength: 20 });
const few = { minLength: 1, maxLength: 3 };

/** Every type of attribute but the binary ones, which the functions do not read. */
const { attribute } = fc.letrec<{ attribute: object }>((tie) => {
  const scalars = { N: numeral, S: string, BOOL: fc.boolean(), NULL: fc.constant(true) };
  const sets = { SS: fc.array(string, few), NS: fc.array(numeral, few) };
  const L = fc.array(tie('attribute'), { maxLength: 3 });
  const M = fc.dictionary(fc.stringMatching(/^\w{1,8}$/), tie('attribute'), { maxKeys: 3 });
  const types = Object.entries<fc.Arbitrary<unknown>>({ ...scalars, ...sets, L, M });
  return { attribute: fc.oneof({ maxDepth: 3 }, ...types.map(([type, value]) => fc.record({ [type]: value }))) };
});
const item = fc.dictionary(fc.stringMatching(/^\w{1,10}$/), attribute, { maxKeys: 4 });

const Key = { petId: { N: '7' }, name: { S: 'é' } };
const update = { TableName: 'é', Key, UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': { N: '1' } } };
const page = { Items: fc.array(item, { maxLength: 4 }), Count: fc.nat(), LastEvaluatedKey: item };
const outputs = (members: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) =>
  fc.record(members, { requiredKeys }).map((output) => ({ status: 200, body: output as object }));

/** The operations that the functions use, and what each may come back with. */
const operations = [
  [() => new GetItemCommand({ TableName: 'table', Key, ConsistentRead: true }), outputs({ Item: item })],
  [() => new UpdateItemCommand(update), outputs({ Attributes: item })],
  [() => new ScanCommand({ TableName: 'table', Segment: 0, TotalSegments: 4 }), outputs(page, ['Items', 'Count'])],
] as unknown as [() => GetItemCommand, ReturnType<typeof outputs>][];

const errorTypes = fc.tuple(
  fc.constantFrom('com.amazonaws.dynamodb.v20120810#', 'com.amazon.coral.service#', ''),
  fc.constantFrom(
    'ConditionalCheckFailedException',
    'ProvisionedThroughputExceededException',
    'ResourceNotFoundException',
    'InternalServerError',
    'RequestLimitExceeded',
    'AccessDeniedException',
    'ValidationException',
    'SomethingNew',
  ),
);
const errors = fc
  .record({
    status: fc.constantFrom(400, 500, 503),
    type: errorTypes,
    member: fc.constantFrom('message', 'Message'),
    text: fc.string({ minLength: 1 }),
  })
  .map(({ status, type, member, text }) => ({ status, body: { __type: type.join(''), [member]: text } }));

/** What a caller sees: the output, or which error. */
const outcomeOf = async (client: DynamoDBClient, command: GetItemCommand): Promise<object> => {
  try {
    const { $metadata, ...output } = await client.send(command);
    return { output, status: $metadata.httpStatusCode, requestId: $metadata.requestId };
  } catch (error) {
    const { name, message, $metadata, $fault } = error as DynamoDBServiceException;
    return { type: Object.getPrototypeOf(error), name, message, $fault, status: $metadata?.httpStatusCode };
  }
};

/** A request, without what tells who sent it, or when. */
const sentAs = ({ method, url, headers, body }: Received): object => {
  const own = /^(user-agent|x-amz-(user-agent|date|content-sha256)|amz-sdk-invocation-id|authorization)$/;
  const others = Object.entries(headers).filter(([name]) => !own.test(name));
  return { method, url, body: JSON.parse(body), headers: Object.fromEntries(others) };
};

const dynamodb = new ScriptedDynamodb();
const endpoint = `${await dynamodb.listen()}/path/`;

test("requests are sent, and responses read, as the SDK's own client does", async () => {
  const ours = await clientOf(endpoint, 1);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local', sessionToken: 'token' };
  const sdk = new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials, maxAttempts: 1 });
  const exchanges = operations.map(([command, output]) => fc.tuple(fc.constant(command), fc.oneof(output, errors)));
  await fc.assert(
    fc.asyncProperty(fc.oneof(...exchanges), async ([command, { status, body }]) => {
      dynamodb.script(respond(status, JSON.stringify(body), { 'x-amzn-requestid': 'id-1' }));
      expect(await outcomeOf(ours, command())).toEqual(await outcomeOf(sdk, command()));
      const [sent, sentBySdk] = dynamodb.received.map(sentAs);
      expect(sent).toEqual(sentBySdk);
    }),
    { numRuns, seed: 4 },
  );
  sdk.destroy();
});

test.each([
  ['of another checksum', respond(200, '{}', { 'x-amz-crc32': '1' }), 'Its checksum is missing or another.'],
  ['that is no object', respond(200, '[]'), 'It is no object.'],
])('a response %s cannot be read, and the error says why', async (_what, script, why) => {
  dynamodb.script(script);
  await expect((await clientOf(endpoint, 1)).send(getItem())).rejects.toMatchObject({
    message: 'The response of DynamoDB cannot be read.',
    cause: new TypeError(why),
  });
});
