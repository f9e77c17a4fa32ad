import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { type HttpResponse, responsesSeen } from '../support/http/raw-request.ts';

type Check<Arguments extends unknown[]> = (...args: Arguments) => Promise<void>;

/** A change of an API reaches all of API Gateway within some seconds; that of a local run, at once. */
const untilChangesArrive = process.env.PETSTORE_BASE_URL?.startsWith('https:') ? 30_000 : 0;

/** Codes with which only API Gateway answers. */
const ofGatewayAlone = ['path_not_found', 'method_not_allowed'];

/** Whether API Gateway answered by itself, and not one of the functions. */
const isOfGateway = ({ headers, body }: HttpResponse): boolean =>
  headers['x-amzn-errortype'] !== undefined ||
  ofGatewayAlone.includes((body as { code?: string } | null)?.code ?? '');

/** Whether the contract lets the same request get another response a moment later. */
const mayPass = (response: HttpResponse): boolean =>
  response.status === 503 || isOfGateway(response);

/**
 * Repeats a check once if it fails and one of its responses may pass: a 503, or one by API Gateway
 * itself, a part of which may not know the deployed API yet. Only the first repetition of a run
 * waits for that. Prints both results. A check that changes an entry begins by looking at it, so
 * that none of its requests is repeated blindly.
 */
export const repeated =
  <Arguments extends unknown[]>(check: Check<Arguments>): Check<Arguments> =>
  async (...args) => {
    const responses: HttpResponse[] = [];
    try {
      await responsesSeen.run(responses, () => check(...args));
    } catch (error) {
      if (!responses.some(mayPass)) {
        throw error;
      }
      print(`failed, and is repeated: ${(error as Error).message}`);
      arrived ??= sleep(untilChangesArrive);
      await arrived;
      await check(...args);
      print('passed when it was repeated.');
    }
  };

let arrived: Promise<void> | undefined;

const print = (result: string): void => {
  process.stderr.write(`${expect.getState().currentTestName ?? 'The first list'} ${result}\n`);
};
