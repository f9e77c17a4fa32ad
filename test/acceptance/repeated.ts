import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { type HttpResponse, responsesSeen } from '../support/http/raw-request.ts';

/** A check has failed on an entry that another client has changed meanwhile. */
export class ChangedByAnother extends Error {}

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
 * Repeats a check once if it failed for a reason that may pass: another client changed its entry,
 * or a response was a 503 or by API Gateway itself, a part of which may not know the deployed API
 * yet. Prints both results. A check that changes an entry begins by looking at it, so that none of
 * its requests is repeated blindly.
 */
export const repeated =
  <Arguments extends unknown[]>(check: (...args: Arguments) => Promise<void>) =>
  async (...args: Arguments): Promise<void> => {
    const responses: HttpResponse[] = [];
    try {
      await responsesSeen.run(responses, () => check(...args));
    } catch (error) {
      const isOfTheDeployment = responses.some(mayPass);
      if (!isOfTheDeployment && !(error instanceof ChangedByAnother)) {
        throw error;
      }
      print(`failed, and is repeated: ${(error as Error).message}`);
      if (isOfTheDeployment) {
        arrived ??= sleep(untilChangesArrive);
        await arrived;
      }
      await check(...args);
      print('passed when it was repeated.');
    }
  };

/** Only the first repetition of a run waits. */
let arrived: Promise<void> | undefined;

const print = (result: string): void => {
  process.stderr.write(`${expect.getState().currentTestName ?? 'The first list'} ${result}\n`);
};
