/**
 * The least that a list handler must do: fetch a page, parse it, and write its numerals unchanged.
 */
import { once } from 'node:events';

const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';
const TableName = process.env.INVENTORY_TABLE_NAME;

interface Page {
  Items: { petId: { N: string }; quantity: { N: string }; status: { S: string } }[];
  LastEvaluatedKey?: unknown;
}

export const handler = awslambda.streamifyResponse(async (_event, responseStream) => {
  const headers = { 'Content-Type': 'application/json' };
  const stream = awslambda.HttpResponseStream.from(responseStream, { statusCode: 200, headers });
  let opening = '[';
  let ExclusiveStartKey: unknown;
  do {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': 'DynamoDB_20120810.Scan',
      },
      body: JSON.stringify({ TableName, ConsistentRead: true, ExclusiveStartKey }),
    });
    const { Items, LastEvaluatedKey } = JSON.parse(await response.text()) as Page;
    const entries = Items.map(
      ({ petId, quantity, status }) =>
        `{"petId":${petId.N},"quantity":${quantity.N},"status":"${status.S}"}`,
    );
    if (!stream.write(opening + entries.join(','))) {
      await once(stream, 'drain');
    }
    opening = ',';
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  stream.end(']');
  await once(stream, 'finish');
});
