import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { type LocalRun, localRun } from '../support/local-run.ts';
import { deployed } from './deployed-function.ts';

const requests = 600;

/** Bytes: less than anything that could be kept of each request, and more than a heap varies. */
const keptOfRequest = 200;

describe('the memory of an instance', () => {
  let run: LocalRun;
  const instances: Instance[] = [];
  beforeAll(async () => {
    run = await localRun();
  });
  afterAll(() => {
    for (const instance of instances) {
      instance.end();
    }
  });

  const start = async (constructId: string): Promise<Instance> => {
    const { directory, environment } = deployed(constructId);
    const instance = await startInstance(
      {
        ...environment,
        _HANDLER: 'index.handler',
        LAMBDA_TASK_ROOT: directory,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_ENDPOINT_URL_DYNAMODB: run.tables.endpoint,
        INVENTORY_TABLE_NAME: run.tables.inventory,
        API_KEYS_TABLE_NAME: run.tables.apiKeys,
      },
      '--expose-gc',
    );
    instances.push(instance);
    return instance;
  };

  const requestContext = { requestId: '1' };
  const patch = (petId: string) => ({
    multiValueHeaders: { 'Content-Type': ['application/json'] },
    pathParameters: { petId },
    requestContext,
    body: '{"quantity":7}',
  });
  const authorize = (apiKey: string) => ({
    type: 'TOKEN',
    authorizationToken: `Bearer ${apiKey}`,
    methodArn: 'arn:aws:execute-api:us-east-1:000000000000:api/staging/GET/v1/inventory',
  });

  test.each([
    [
      'UpdateInventory',
      () => [patch('1'), patch('404'), patch('x')],
      ['"quantity":7', 'pet_not_found', 'invalid_pet_id'],
    ],
    ['ListInventory', () => [{ multiValueHeaders: {}, requestContext }], ['"petId":9223372036854775807']],
    ['Authorizer', () => [authorize(run.apiKey), authorize(createApiKey('staging'))], ['"Allow"', '"Deny"']],
  ])('%s keeps nothing of the requests that it has answered', async (constructId, events, answered) => {
    const instance = await start(constructId);
    const heapAfterRequests = async () => {
      for (let request = 0; request < requests; request++) {
        const event = events()[request % answered.length];
        const answer = String(await buffer(await instance.invoke(event))).replaceAll('\\', '');
        expect(answer).toContain(answered[request % answered.length]);
      }
      // What has ended just now is let go of only when its callbacks have run.
      await instance.usage();
      await sleep(500);
      return (await instance.usage()).heap;
    };
    // By then the code is compiled and the caches are full.
    const before = await heapAfterRequests();
    expect((await heapAfterRequests()) - before).toBeLessThan(keptOfRequest * requests);
  });
});
