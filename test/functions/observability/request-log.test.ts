import { beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { type FaultyRun, faultyRun } from '../../system/faults/faulty-run.ts';
import { type Kind, kinds } from '../../system/faults/kinds.ts';

describe('the log', () => {
  let run: FaultyRun;
  beforeAll(async () => {
    run = await faultyRun();
  });

  const json = { 'Content-Type': 'application/json' };
  const lines = () =>
    run
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));

  /** The lines about the request that an answer was for: the function's and the gateway's. */
  const linesAbout = async ({ headers }: { headers: Record<string, unknown> }) => {
    const about = () => lines().filter(({ requestId }) => requestId === headers['x-amzn-requestid']);
    for (let wait = 0; wait < 250 && about().length < 2; wait++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const [ofFunction, ofGateway] = about().sort((line) => ('level' in line ? -1 : 1));
    return { ofFunction, ofGateway };
  };
  /** Milliseconds since the test began, at most. */
  const duration = () => {
    const began = performance.now();
    return {
      asymmetricMatch: (ms: unknown) =>
        Number.isInteger(ms) && Number(ms) >= 0 && Number(ms) <= performance.now() - began + 1,
    };
  };
  const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  const anyKeyId = expect.stringMatching(/^\w{8,}$/);
  const directive = (dimensions: string[], names: string[]) => ({
    Namespace: 'PetstoreInventory',
    Dimensions: [dimensions],
    Metrics: names.map((Name) => ({ Name, Unit: 'Count' })),
  });
  const metrics = (...names: string[]) => ({
    Timestamp: expect.any(Number),
    CloudWatchMetrics: [directive(['Stage'], names)],
  });
  const ofMetrics = {
    Stage: 'staging',
    FunctionName: expect.stringContaining('Inventory'),
    FunctionVersion: '1',
  };

  test('has one line of a function for an update: who changed what from what to what', async () => {
    const durationMs = duration();
    const answer = await run.send({ method: 'PATCH', path: '/inventory/1', headers: json, body: '{"quantity":3}' });
    const { ofFunction } = await linesAbout(answer);
    expect(ofFunction).toEqual({
      timestamp: anyTime,
      level: 'INFO',
      requestId: answer.headers['x-amzn-requestid'],
      operation: 'updateInventory',
      keyId: anyKeyId,
      status: 200,
      durationMs,
      petId: '1',
      quantityFrom: 12,
      quantityTo: 3,
      _aws: metrics('Updates', 'ColdStarts'),
      ...ofMetrics,
      Updates: 1,
      ColdStarts: 1,
    });
  });

  test('has one of the gateway, in the format of the stage', async () => {
    const answer = await run.send({ method: 'PATCH', path: '/inventory/1', headers: json, body: '{"quantity":3}' });
    const { ofGateway } = await linesAbout(answer);
    expect(ofGateway).toMatchObject({
      requestId: answer.headers['x-amzn-requestid'],
      method: 'PATCH',
      path: '/staging/v1/inventory/1',
      operation: 'updateInventory',
      keyId: anyKeyId,
      status: '200',
      latency: expect.stringMatching(/^\d+$/),
    });
  });

  test('counts the entries of a list', async () => {
    const { ofFunction } = await linesAbout(await run.send({ path: '/inventory' }));
    expect(ofFunction).toMatchObject({
      operation: 'listInventory',
      status: 200,
      _aws: metrics('Lists', 'EntriesListed', 'ColdStarts'),
      Lists: 1,
      EntriesListed: 7,
    });
  });

  test('counts a pet that is not there, and no bad input', async () => {
    const patch = (path: string) => run.send({ method: 'PATCH', path, headers: json, body: '{"quantity":3}' });

    const missing = await linesAbout(await patch('/inventory/4'));
    expect(missing.ofFunction).toMatchObject({ level: 'INFO', status: 404, code: 'pet_not_found', NotFound: 1 });

    const bad = await linesAbout(await patch('/inventory/abc'));
    expect(bad.ofFunction).toEqual({
      timestamp: anyTime,
      level: 'INFO',
      requestId: expect.any(String),
      operation: 'updateInventory',
      keyId: anyKeyId,
      status: 400,
      durationMs: expect.any(Number),
      code: 'invalid_pet_id',
    });
  });

  test('has what a failure came of, and counts it for its version', async () => {
    await linesAbout(await run.send({ path: '/inventory' }));
    const { what } = kinds.AccessDeniedException as Kind;
    run.proxy.inject({ on: 'Scan', what, times: 1 });
    const durationMs = duration();
    const answer = await run.send({ path: '/inventory' });
    const { ofFunction } = await linesAbout(answer);
    expect(ofFunction).toEqual({
      timestamp: anyTime,
      level: 'ERROR',
      requestId: answer.headers['x-amzn-requestid'],
      operation: 'listInventory',
      keyId: anyKeyId,
      status: 500,
      durationMs,
      code: 'internal_error',
      errorType: 'AccessDeniedException',
      errorMessage: 'No',
      stack: expect.stringMatching(/^AccessDeniedException: No\n/),
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          directive(['Stage'], ['Faults']),
          directive(['FunctionName', 'FunctionVersion'], ['Faults']),
        ],
      },
      ...ofMetrics,
      Faults: 1,
    });
  });

  test('says of a check of a key whose it was and how it ended', async () => {
    const durationMs = duration();
    const Authorization = `Bearer ${createApiKey('staging')}`;
    await linesAbout(await run.send({ path: '/inventory' }));
    const refused = await run.sendBare({ path: '/inventory', headers: { Authorization } });
    expect(refused.status).toBe(401);
    const checks = lines().filter(({ operation }) => operation === 'authorize');
    expect(checks).toEqual([
      expect.objectContaining({ level: 'INFO', allowed: true, keyId: anyKeyId }),
      { timestamp: anyTime, level: 'INFO', operation: 'authorize', durationMs, allowed: false },
    ]);
  });
});
