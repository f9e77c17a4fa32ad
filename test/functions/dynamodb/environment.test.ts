import { afterEach, describe, expect, jest, test } from '@jest/globals';

const before = { ...process.env };

/** The module as it is in a process with these variables, and none of AWS but these. */
const inEnvironment = async (variables: Record<string, string>) => {
  for (const name of Object.keys(process.env).filter((key) => key.startsWith('AWS_'))) {
    delete process.env[name];
  }
  Object.assign(process.env, { AWS_ENDPOINT_URL_DYNAMODB: 'https://dynamodb', AWS_REGION: 'eu-west-1', ...variables });
  jest.resetModules();
  return import('../../../functions/dynamodb/environment.ts');
};

describe('the environment of a function', () => {
  afterEach(() => {
    Object.assign(process.env, before);
  });

  test.each([{}, { AWS_ACCESS_KEY_ID: 'id' }, { AWS_SECRET_ACCESS_KEY: 'secret' }])(
    '%j has no credentials, and says so',
    async (variables) => {
      const { credentials } = await inEnvironment(variables);
      await expect(credentials()).rejects.toThrow('The environment holds no AWS credentials.');
    },
  );

  test('may have credentials that are no session', async () => {
    const variables = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    const { credentials } = await inEnvironment(variables);
    expect(await credentials()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret' });
  });
});
