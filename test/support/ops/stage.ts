import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals';
import { localCredentials as credentials, region } from '../../../local/shared/account.ts';
import { createTable } from '../dynamodb/create-table.ts';
import { dynamodbProxy, pass } from '../dynamodb/dynamodb-proxy.ts';
import { sharedEndpoint } from '../dynamodb/engine.ts';
import { serve } from '../http/serve.ts';
import { atEnd } from '../process/at-end.ts';
import { awsAround } from './fake-aws.ts';
import { type PetstoreOptions, petstore } from './petstore.ts';

/** The time of every test: 2027-01-15T08:00:00Z. */
export const now = 1_800_000_000;

/** What a command on `prod` prints first. */
export const onProd = 'Stage: prod in account 111122223333, us-east-1\n';

/**
 * Returns a stage with an empty table before each test, and the group of commands that work on it:
 * `local` on a local run, `prod` on the same table as that of a deployed prod.
 */
export const opsStage = (group: 'keys' | 'inventory') => {
  const client = new DynamoDB({ endpoint: sharedEndpoint, region, credentials });
  const tables = { endpoint: '', inventory: '', apiKeys: '' };
  let origin = '';
  const stage = {
    /** Reacts to each request to the table. By default it forwards it. */
    react: pass,
    client,
    tables,
    port: () => new URL(origin).port,
    local: (line: string[], options?: PetstoreOptions) =>
      petstore([group, ...line, '--local', '--port', stage.port()], options),
    prod: async (line: string[], options?: PetstoreOptions) => {
      const { environment: env } = await awsAround(tables);
      return petstore([group, ...line, '--stage', 'prod'], { ...options, env });
    },
  };
  beforeAll(async () => {
    const proxy = await dynamodbProxy(sharedEndpoint, (passing) => stage.react(passing));
    atEnd(proxy.close);
    tables.endpoint = proxy.endpoint;
    origin = await serve((_request, response) => {
      const baseUrl = `${origin}/staging/v1`;
      response.end(JSON.stringify({ stageName: 'staging', baseUrl, dynamodb: tables }));
    });
  });
  beforeEach(async () => {
    stage.react = pass;
    const id = crypto.randomUUID();
    Object.assign(tables, { inventory: `inventory-${id}`, apiKeys: `keys-${id}` });
    await (group === 'inventory'
      ? createTable(client, { name: tables.inventory, key: 'petId', type: 'N' })
      : createTable(client, { name: tables.apiKeys, key: 'keyHash', type: 'S' }));
    jest.spyOn(Date, 'now').mockReturnValue(now * 1000);
    // Whatever is sent again, is so at once.
    jest.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterAll(() => client.destroy());
  return stage;
};
