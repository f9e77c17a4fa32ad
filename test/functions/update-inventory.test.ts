import { beforeAll, describe, expect, test } from '@jest/globals';
import { contract, errorResponse } from '../support/http-client.ts';
import { type LocalRun, localRun } from '../support/local-run.ts';

/** Besides what every deployment is checked for: what something in front of one may refuse before the function sees it. */
describe('PATCH /inventory/{petId}, locally', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  const patch = (petId: string, body: string) =>
    run.send({ method: 'PATCH', path: `/inventory/${petId}`, headers: { 'Content-Type': 'application/json' }, body });

  test('refuses a petId that is badly percent-encoded', async () => {
    const range = 'an integer from -9223372036854775808 to 9223372036854775807';
    expect(contract(await patch('%zz', '{"quantity":7}'))).toEqual(
      errorResponse(400, 'invalid_pet_id', `petId must be ${range}, in digits without leading zeros, not "%zz".`),
    );
  });

  test('refuses a large and deep body', async () => {
    const body = `{"quantity":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(contract(await patch('1', body))).toEqual(
      errorResponse(400, 'invalid_body', 'The body must be {"quantity": <integer>} and nothing more.'),
    );
  });
});
