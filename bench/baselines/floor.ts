import { createHash, createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

const { env } = process;
const endpoint = new URL(env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
const agent = new Agent({ keepAlive: true });

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

const sign = (body: string): Record<string, string> => {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${env.AWS_REGION}/dynamodb/aws4_request`;
  const headers: Record<string, string> = {
    host: endpoint.host,
    'x-amz-date': time,
    'x-amz-security-token': env.AWS_SESSION_TOKEN ?? '',
    'x-amz-target': 'DynamoDB_20120810.UpdateItem',
  };
  const names = Object.keys(headers);
  const canonical = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const digest = sha256(`POST\n/\n\n${canonical}\n${names.join(';')}\n${sha256(body)}`);
  const dayKey = hmac(`AWS4${env.AWS_SECRET_ACCESS_KEY}`, day);
  const key = hmac(hmac(hmac(dayKey, env.AWS_REGION ?? ''), 'dynamodb'), 'aws4_request');
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${digest}`).toString('hex');
  headers['content-type'] = 'application/x-amz-json-1.0';
  const credential = `Credential=${env.AWS_ACCESS_KEY_ID}/${scope}`;
  const signed = `SignedHeaders=${names.join(';')}`;
  headers.authorization = `AWS4-HMAC-SHA256 ${credential}, ${signed}, Signature=${signature}`;
  return headers;
};

const post = (body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const sent = request(endpoint, { method: 'POST', agent, headers: sign(body) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    sent.on('error', reject);
    sent.end(body);
  });

/**
 * The least that a handler can do: plain HTTP and a handwritten signature; no retries, checks or
 * error handling.
 */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const { quantity } = JSON.parse(event.body ?? '');
  const request = {
    TableName: env.INVENTORY_TABLE_NAME,
    Key: { petId: { N: event.pathParameters?.petId } },
    UpdateExpression: 'SET quantity = :quantity',
    ConditionExpression: 'attribute_exists(petId)',
    ExpressionAttributeValues: { ':quantity': { N: String(quantity) } },
    ReturnValues: 'ALL_NEW',
  };
  const {
    petId,
    quantity: updated,
    status,
  } = JSON.parse(await post(JSON.stringify(request))).Attributes;
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: `{"petId":${petId.N},"quantity":${updated.N},"status":"${status.S}"}`,
  };
};
