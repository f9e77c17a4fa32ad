import { beforeAll } from '@jest/globals';
import { type IssuedKey, issuedKeys } from '../../../ops/keys/issued-keys.ts';
import type { KeySummary } from '../../../ops/keys/key-summary.ts';
import { dynamodbProxy, type Passing, type Reaction } from '../../support/dynamodb-proxy.ts';
import { awsAround } from '../../support/fake-aws.ts';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { type OpsOptions, ops } from '../../support/ops.ts';

/** The keys of a local run, which starts before the tests of a file. */
export const localKeys = () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });
  const table = () => ({ client: run.tables.client, TableName: run.tables.apiKeys });
  const all = () => issuedKeys(table());
  const keys = async (options: string[], settings?: OpsOptions) => {
    const { errors, ...result } = await ops(['keys', ...options, '--local'], settings);
    return { ...result, errors: errors.replace(/^Stage: staging of the local run at .*\n/, '') };
  };
  /** What a command prints in JSON. */
  const json = async (...options: string[]) => JSON.parse((await keys([...options, '--json'])).output);
  return {
    table,
    all,
    keys,
    json,
    stored: async (id: string) => (await all()).find(({ keyId }) => keyId === id) as IssuedKey,
    create: (name: string, ...options: string[]): Promise<KeySummary & { key: string }> =>
      json('create', '--name', name, ...options),
    show: (id: string): Promise<KeySummary> => json('show', id),
    statusWith: async (key: string) =>
      (await run.send({ path: '/inventory', headers: { Authorization: `Bearer ${key}` } })).status,
    /** Runs a command in an environment where the run is both deployed stages. */
    deployed: async <Result>(
      command: (env: NodeJS.ProcessEnv) => Promise<Result>,
      react: (passing: Passing) => Promise<Reaction> = ({ forward }) => forward(),
    ): Promise<Result> => {
      const [aws, proxy] = [await awsAround(run), await dynamodbProxy(run.tables.endpoint, react)];
      const result = command({ ...aws.environment, AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint });
      return result.finally(() => Promise.all([aws.close(), proxy.close()]));
    },
  };
};
