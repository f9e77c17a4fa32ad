import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { readStack } from '../../infra/assembly/resolved-stack.ts';
import { assembly } from '../support/assembly.ts';

interface FunctionProperties {
  Code: { S3Key: string };
  Environment: { Variables: Record<string, string> };
}

/** The directory that is deployed for the function with a construct id, and its environment. */
export const deployed = (constructId: string): { directory: string; environment: Record<string, string> } => {
  const stack = readStack(assembly, 'staging');
  const functions = [...stack.resources<FunctionProperties>('AWS::Lambda::Function')];
  const [, properties] = functions.find(([logicalId]) => logicalId.startsWith(constructId)) ?? [];
  return {
    directory: stack.assetDirectory(properties?.Code.S3Key ?? constructId),
    environment: properties?.Environment.Variables ?? {},
  };
};

export interface DeployedFunction {
  /** Invokes the function with PATCH, after it has set variables of its environment. */
  patch(environment?: Record<string, string>): Promise<APIGatewayProxyResult>;
  /** All that it has printed to standard error. */
  errors(): string;
}

const children: ChildProcess[] = [];

// Processes that a failed test left behind would keep Jest from ending.
afterAll(() => {
  for (const child of children) {
    child.kill();
  }
});

/** Starts an instance of updateInventory as it is deployed, but for some of its environment, and waits until it is initialised. */
export const startUpdateInventory = async (changes: Record<string, string>): Promise<DeployedFunction> => {
  const { directory, environment } = deployed('UpdateInventory');
  const child = fork(join(import.meta.dirname, 'run-bundle.ts'), [join(directory, 'index.js')], {
    env: { ...environment, INVENTORY_TABLE_NAME: 'inventory', ...changes },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.push(child);
  let errors = '';
  child.stdout?.on('data', (chunk) => (errors += chunk));
  child.stderr?.on('data', (chunk) => (errors += chunk));
  await once(child, 'message');
  const event = {
    multiValueHeaders: { 'Content-Type': ['application/json'] },
    pathParameters: { petId: '1' },
    requestContext: { requestId: '1' },
    body: '{"quantity":7}',
  };
  return {
    patch: async (changed = {}) => {
      child.send({ event, environment: changed });
      return Promise.race([
        once(child, 'message').then(([answer]) => answer),
        once(child, 'exit').then(() => {
          throw new Error(`The instance ended.\n${errors}`);
        }),
      ]);
    },
    errors: () => errors,
  };
};
