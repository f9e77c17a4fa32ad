import type { Readable } from 'node:stream';
import { readTemplate } from '../../../local/assembly/template.ts';
import { clientServer } from '../../../local/gateway/client-server.ts';
import { gateway } from '../../../local/gateway/gateway.ts';
import { type RestApi, readRestApi } from '../../../local/gateway/rest-api.ts';
import type { LambdaFunction } from '../../../local/lambda/lambda-function.ts';
import type { AccessRecord } from '../../../local/log/access-log.ts';
import { assembly } from '../stack/assembly.ts';
import { serve } from './serve.ts';

// biome-ignore lint/suspicious/noExplicitAny: an event may hold anything
export type Handler = (event: any) => unknown;

/** Returns a function without a process. What the handler throws rejects the invocation. */
export const functionOf = (handler: Handler): LambdaFunction => ({
  invoke: async (event) => handler(event),
  invokeStreaming: async (event) => handler(event) as Readable,
  renew: () => {},
  close: () => {},
});

export const template = readTemplate(assembly, 'staging');

/** Handles the events of each function, by its name. */
export type Handlers = Record<'Authorizer' | 'ListInventory' | 'UpdateInventory', Handler>;

/** What the authorizer returns for a key that may write, or that may nothing. */
export const decision = (Effect: 'Allow' | 'Deny' = 'Allow') => ({
  principalId: 'b5f1',
  policyDocument: { Statement: [{ Effect, Resource: '*' }] },
  context: { keyId: 'b5f1', access: 'write' },
});

const unexpected = () => Promise.reject(new Error('This function was not to be invoked.'));

/**
 * Reads the API of staging's template, with functions that need no process. Every key is allowed,
 * unless the authorizer is given.
 */
export const apiWith = (handlers: Partial<Handlers>): RestApi => {
  const all = Object.entries({ Authorizer: () => decision(), ...handlers });
  const ids = [...template.resources('AWS::Lambda::Function').keys()];
  const functions = ids.map((id): [string, LambdaFunction] => {
    const [, handler = unexpected] = all.find(([name]) => id.startsWith(name)) ?? [];
    return [id, functionOf(handler)];
  });
  return readRestApi(template, new Map(functions));
};

/** Serves an API until the test file ends. Returns its URL, without a path. */
export const serveApi = (api: RestApi, log?: (record: AccessRecord) => void): Promise<string> =>
  serve(clientServer(gateway(api, log)));
