// What a colleague's machine has set must not change what tests do. test-run.system.ts runs some in a
// hook of git.
import { expect, test } from '@jest/globals';
import { forgetSettings } from './support/jest/run.ts';

test('tests keep what programs need, and forget all else', () => {
  const kept = {
    PATH: '/usr/bin',
    HOME: '/home/cy',
    https_proxy: 'http://proxy.example',
    npm_config_registry: 'http://registry.example',
    UPDATE_SESSIONS: '1',
    NODE_EXTRA_CA_CERTS: import.meta.filename,
  };
  const env: NodeJS.ProcessEnv = {
    ...kept,
    AWS_PROFILE: 'prod',
    CI: 'true',
    CDK_DEBUG: 'true',
    GIT_DIR: '/repository/.git/worktrees/linked',
    GIT_CONFIG_COUNT: '0',
    LANG: 'de_DE.UTF-8',
    LANGUAGE: 'de:fr',
    LC_ALL: 'not_INSTALLED',
    LC_TIME: 'de_DE',
    PETSTORE_API_KEY: 'petstore_prod_1',
    NO_COLOR: '1',
    NODE_OPTIONS: '--require ./of-a-debugger.js',
    TZ: 'Pacific/Kiritimati',
  };
  forgetSettings(env);
  expect(env).toStrictEqual(kept);
  env.NODE_EXTRA_CA_CERTS = '/moved/ca.pem';
  forgetSettings(env);
  expect(env).not.toHaveProperty('NODE_EXTRA_CA_CERTS');
});
