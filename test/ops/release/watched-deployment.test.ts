import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { isWellFormedApiKey } from '../../../functions/keys/api-key.ts';
import type { Terminal } from '../../../ops/cli/terminal.ts';
import {
  type WatchedDeploymentProps,
  watchedDeployment,
} from '../../../ops/release/watched-deployment.ts';
import { serve } from '../../support/http/serve.ts';

const apiKey = 'petstore_prod_of_the_release';
const unwatched = "npx cdk deploy 'prod/*'";

interface Reply {
  status: number;
  body: string;
}

const inJson = (status: number, code: string): Reply => ({
  status,
  body: `{"code":"${code}","message":"Something.","status":${status}}`,
});

const list: Reply = { status: 200, body: '[{"petId":1,"quantity":1,"status":"sold"}]' };
const unauthorized = inJson(401, 'unauthorized');
const invalid = inJson(400, 'invalid_quantity');
const notFound = inJson(404, 'pet_not_found');
const tooMany = inJson(429, 'too_many_requests');

const bodyOf = async (request: IncomingMessage): Promise<string> => await text(request);

/** The answers of a service that works. */
const rightReply = ({ headers, method }: IncomingMessage, body: string): Reply => {
  if (headers.authorization !== `Bearer ${apiKey}`) {
    return unauthorized;
  }
  if (method === 'GET') {
    return list;
  }
  return body === '{"quantity":-1}' ? invalid : notFound;
};

interface Asked {
  method: string;
  url: string;
  body: string;
  authorization: string;
}

/** A service that is deployed while it is watched. */
const watchedService = async () => {
  const asked: Asked[] = [];
  let onRequest = (): void => {};
  const service = {
    asked,
    isDeploying: false,
    /** Returns what a list gets during the deployment, or cuts the connection. */
    listReply: (_count: number): Reply | 'cut' => list,
    /** How many lists were requested during the deployment. */
    lists: 0,
    /** Waits for so many lists during the deployment. */
    listed: async (count: number): Promise<void> => {
      while (service.lists < count) {
        await new Promise<void>((resolve) => {
          onRequest = resolve;
        });
      }
    },
    baseUrl: '',
  };
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, body, authorization: headers.authorization ?? '' });
    let answer: Reply | 'cut' = rightReply(request, body);
    if (method === 'GET' && service.isDeploying) {
      service.lists += 1;
      answer = service.listReply(service.lists);
    }
    if (answer === 'cut') {
      request.socket.destroy();
    } else {
      response.writeHead(answer.status).end(answer.body);
    }
    onRequest();
  };
  service.baseUrl = `${await serve((request, response) => void reply(request, response))}/prod/v1`;
  return service;
};

type Service = Awaited<ReturnType<typeof watchedService>>;

interface Outcome {
  output: string;
  errors: string;
  stops: number;
  error: { code: string; message: string; details: { hint?: string } } | undefined;
}

/** Deploys the service: by default, until three lists were requested. */
const deploy = async (
  service: Service,
  props: Partial<WatchedDeploymentProps> = {},
): Promise<Outcome> => {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const { signal } = new AbortController();
  const terminal = { stdout, stderr, env: {}, signal } as unknown as Terminal;
  let stops = 0;
  const deployment = watchedDeployment(terminal, {
    service: { stageName: 'prod', baseUrl: service.baseUrl, apiKey },
    deploy: async () => {
      service.isDeploying = true;
      await service.listed(3);
    },
    status: async () => 'UPDATE_COMPLETE',
    unwatched,
    every: 5,
    ...props,
    stop: async (endDeploy) => {
      stops += 1;
      await props.stop?.(endDeploy);
    },
  });
  const error = await deployment.then(
    () => undefined,
    (reason) => reason,
  );
  stdout.end();
  stderr.end();
  return { output: await text(stdout), errors: await text(stderr), stops, error };
};

/** A deployment that goes on until it is stopped, and then fails as cdk does. */
const untilStopped = (service: Service): Partial<WatchedDeploymentProps> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    deploy: async () => {
      service.isDeploying = true;
      await promise;
      throw new Error('cdk deploy failed.');
    },
    stop: async () => resolve(),
    status: async () => 'UPDATE_ROLLBACK_COMPLETE',
  };
};

const wrongList: Reply = { status: 404, body: '{"message":"no \u001b[31m such path"}' };

test('a healthy service is deployed', async () => {
  const service = await watchedService();
  const { stops, errors, error } = await deploy(service);
  expect({ stops, errors, error }).toEqual({ stops: 0, errors: '', error: undefined });
});

test('each check asks for something that changes nothing', async () => {
  const service = await watchedService();
  await deploy(service);

  const [first, second, third, fourth] = service.asked;
  const own = `Bearer ${apiKey}`;
  const url = expect.stringMatching(/^\/prod\/v1\/inventory\/-\d+$/);
  expect([first, second, third, fourth]).toEqual([
    { method: 'GET', url: '/prod/v1/inventory', body: '', authorization: own },
    { method: 'PATCH', url, body: '{"quantity":0}', authorization: own },
    { method: 'PATCH', url, body: '{"quantity":-1}', authorization: own },
    { method: 'PATCH', url, body: '{"quantity":0}', authorization: expect.not.stringMatching(own) },
  ]);
});

test('the petId of a release is a negative int64, and another one each time', async () => {
  const petIds = new Set<bigint>();
  for (let release = 0; release < 20; release += 1) {
    const service = await watchedService();
    await deploy(service, { deploy: async () => {} });
    for (const { url } of service.asked.filter(({ method }) => method === 'PATCH')) {
      petIds.add(BigInt(url.split('/').at(-1) ?? ''));
    }
  }
  expect(petIds.size).toBe(20);
  expect([...petIds].filter((petId) => petId >= 0n || BigInt.asIntN(64, petId) !== petId)).toEqual(
    [],
  );
});

test('every unknown key is new and well-formed', async () => {
  const service = await watchedService();
  await deploy(service);
  const unknown = service.asked
    .map(({ authorization }) => authorization.replace('Bearer ', ''))
    .filter((key) => key !== apiKey);
  expect(unknown.length).toBeGreaterThan(1);
  expect(new Set(unknown).size).toBe(unknown.length);
  expect(unknown.filter((key) => !isWellFormedApiKey(key, 'prod'))).toEqual([]);
});

test('a service that turns bad stops its deployment, and the error says why', async () => {
  const service = await watchedService();
  service.listReply = () => wrongList;
  const { stops, error } = await deploy(service, untilStopped(service));

  expect(stops).toBe(1);
  expect(error?.code).toBe('failed');
  expect(error?.message).toBe(`\
prod answered wrongly twice in a row. Its deployment was stopped and rolled back.
Asked:    GET /inventory of ${service.baseUrl}
Expected: 200 and a body that begins with [
Answered: 404 {"message":"no \\u001b[31m such path"}`);
});

test('the first check that was wrong twice ends the watch', async () => {
  const service = await watchedService();
  service.listReply = () => wrongList;
  await deploy(service, untilStopped(service));
  expect(service.lists).toBe(2);
});

test('one wrong answer, and a right one after it, stop nothing', async () => {
  const service = await watchedService();
  service.listReply = (count) => (count % 2 === 1 ? wrongList : list);
  const listed = async () => {
    service.isDeploying = true;
    await service.listed(6);
  };
  const { stops, error, output } = await deploy(service, { deploy: listed });
  expect({ stops, error }).toEqual({ stops: 0, error: undefined });
  expect(output).toMatch(/ and wrongly [23] times; /);
});

const nothingLearned = [tooMany, 'cut' as const];
test('a 429 and a failed connection stop nothing, and are counted', async () => {
  const service = await watchedService();
  service.listReply = (count) => nothingLearned[count % 2] ?? list;
  const listed = async () => {
    service.isDeploying = true;
    await service.listed(7);
  };
  const { stops, error, output } = await deploy(service, { deploy: listed });
  expect({ stops, error }).toEqual({ stops: 0, error: undefined });
  const [, throttled, unreachable] =
    /; (\d+) requests got a 429 and (\d+) failed/.exec(output) ?? [];
  expect([throttled, unreachable]).toEqual(['3', expect.stringMatching(/^[34]$/)]);
});

test('a 429 between two wrong answers does not hide them', async () => {
  const service = await watchedService();
  service.listReply = (count) => (count === 2 ? tooMany : wrongList);
  const { stops } = await deploy(service, untilStopped(service));
  expect({ stops, lists: service.lists }).toEqual({ stops: 1, lists: 3 });
});

test('nothing is deployed if the service does not work before', async () => {
  const service = await watchedService();
  service.isDeploying = true;
  service.listReply = () => wrongList;
  let deployments = 0;
  const { error } = await deploy(service, {
    deploy: async () => {
      deployments += 1;
    },
  });
  expect(deployments).toBe(0);
  expect(error?.message).toContain(
    'prod does not work as it is, so nothing was deployed.\nAsked: ',
  );
  expect(error?.details.hint).toBe(
    `If this release repairs it, deploy without the probes: ${unwatched}`,
  );
});

test('nothing is deployed if the service answers 429 again and again before', async () => {
  const service = await watchedService();
  service.isDeploying = true;
  service.listReply = () => tooMany;
  const { error } = await deploy(service);
  expect(error?.message).toMatch(/\nAnswered: 429$/);
  expect(service.lists).toBe(6);
});

test('a 429 before the deployment is followed by another request', async () => {
  const service = await watchedService();
  service.isDeploying = true;
  service.listReply = (count) => (count === 1 ? tooMany : list);
  expect(await deploy(service)).toMatchObject({ stops: 0, error: undefined });
});

test('a wrong answer after the deployment has ended stops nothing', async () => {
  const service = await watchedService();
  const { promise, resolve } = Promise.withResolvers<void>();
  service.listReply = (count) => {
    // The deployment ends while the second wrong answer is on its way.
    if (count === 2) {
      resolve();
    }
    return wrongList;
  };
  const deployment = async () => {
    service.isDeploying = true;
    await promise;
  };
  const { stops, error } = await deploy(service, { deploy: deployment });
  expect({ stops, error }).toEqual({ stops: 0, error: undefined });
});

test('an error of the deployment itself is thrown on', async () => {
  const service = await watchedService();
  const { error } = await deploy(service, {
    deploy: async () => {
      throw new Error('cdk deploy failed.');
    },
  });
  expect(error?.message).toBe('cdk deploy failed.');
});

test.each([
  {
    status: 'UPDATE_ROLLBACK_IN_PROGRESS',
    message: 'Its deployment was stopped and is being rolled back (UPDATE_ROLLBACK_IN_PROGRESS).',
    hint: undefined,
  },
  {
    status: 'UPDATE_COMPLETE',
    message: 'Its deployment was not stopped: the stack is UPDATE_COMPLETE.',
    hint: 'Unless prod still runs the old version, roll back: docs/roll-back.md.',
  },
  {
    status: 'UPDATE_ROLLBACK_FAILED',
    message: 'The stack is UPDATE_ROLLBACK_FAILED.',
    hint: 'See what to do: npx --no -- petstore preflight --stage prod',
  },
])('after a stop, $status is reported with what to do', async ({ status, message, hint }) => {
  const service = await watchedService();
  service.listReply = () => wrongList;
  const props = { ...untilStopped(service), status: async () => status };
  const { error } = await deploy(service, props);
  expect(error?.message).toContain(`twice in a row. ${message}\nAsked: `);
  expect(error?.details.hint).toBe(hint);
});
