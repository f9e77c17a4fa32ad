import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { type HttpResponse, responsesSeen } from '../../support/http/http-client.ts';

type Check<Arguments extends unknown[]> = (...args: Arguments) => Promise<void> | void;

const isDeployment = process.env.ACCEPTANCE_BASE_URL !== undefined;

/** A change of an API reaches all of API Gateway within some seconds. */
const untilChangesArrive = 30_000;

/** Codes with which only API Gateway answers. */
const ofGatewayAlone = ['path_not_found', 'method_not_allowed'];

/** Whether API Gateway answered by itself, and not one of the functions. */
const isOfGateway = ({ headers, body }: HttpResponse): boolean =>
  headers['x-amzn-errortype'] !== undefined ||
  ofGatewayAlone.includes((body as { code?: string } | null)?.code ?? '');

/**
 * Repeats a check of a deployment once, after 30 seconds, if it fails and API Gateway itself has
 * answered one of its requests: that part of it may not know the deployed API yet. Prints both
 * results.
 */
export const repeated = <Arguments extends unknown[]>(check: Check<Arguments>): Check<Arguments> =>
  isDeployment ? repeatedAfter(untilChangesArrive, check) : check;

export const repeatedAfter =
  <Arguments extends unknown[]>(pause: number, check: Check<Arguments>): Check<Arguments> =>
  async (...args) => {
    const responses: HttpResponse[] = [];
    try {
      await responsesSeen.run(responses, () => check(...args));
    } catch (error) {
      if (!responses.some(isOfGateway)) {
        throw error;
      }
      print(`failed, and is repeated in ${pause / 1_000} s: ${(error as Error).message}`);
      await sleep(pause);
      await check(...args);
      print('passed when it was repeated.');
    }
  };

const print = (result: string): void => {
  process.stderr.write(`${expect.getState().currentTestName} ${result}\n`);
};
