import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { project } from '../process/tools.ts';
import { type Program, runClient } from './program.ts';
import { failure, list, scriptedService } from './scripted-service.ts';

/** What makes the clocks of a client jump, for each language. */
export const jumping = join(project, 'test/support/clients/jumping');

/** Returns how this Node runs a client whose clocks jump. */
export const withJumpingClocks = (main: string): Program => [
  process.execPath,
  '--import',
  pathToFileURL(join(jumping, 'clocks.ts')).href,
  main,
];

/**
 * Tests that the five minutes of an update with an Idempotency-Key are over when either clock says so.
 * @param prepare returns an example that sets a quantity, and whose clocks jump after its first update
 *   by the seconds in WALL_JUMP and STEADY_JUMP
 */
export const testClocks = (prepare: () => Promise<Program>): void =>
  describe('with jumping clocks', () => {
    let program: Program;
    beforeAll(async () => {
      program = await prepare();
    });

    test.each([
      { what: 'set back, and five minutes pass', WALL_JUMP: '-3600', STEADY_JUMP: '300' },
      // The other one stands still in sleep.
      { what: 'five minutes further', WALL_JUMP: '300', STEADY_JUMP: '0' },
    ])('sends no update again once its clock is $what', async ({ what, ...env }) => {
      const { baseUrl, keys } = await scriptedService([list, failure(503)]);
      const target = { baseUrl, apiKey: 'petstore_staging_secret', env };
      const end = await runClient(program, target, '1', '5', '"12-available"');
      expect({ ...end, keys: keys() }).toStrictEqual({
        code: 1,
        output: '',
        errors: expect.stringMatching(
          /^(Error: )?It may have been applied: check the entry\. The service responded with 503: .*\n$/i,
        ),
        keys: [1],
      });
    });
  });
