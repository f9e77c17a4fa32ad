// What a colleague's machine has set must not change what tests do. test-run.system.ts runs some in a
// hook of git.
import { expect, test } from '@jest/globals';
import { forgetSettings } from './support/jest/run.ts';

test('tests forget what is set for other programs, and keep all else', () => {
  const kept = {
    PATH: '/usr/bin',
    HOME: '/home/cy',
    HTTPS_PROXY: 'http://proxy.example',
    NODE_OPTIONS: '--max-old-space-size=2048',
    LCOV: '1',
    GITHUB_ACTIONS: 'true',
  };
  const env: NodeJS.ProcessEnv = {
    ...kept,
    AWS_PROFILE: 'prod',
    CDK_DEBUG: 'true',
    GIT_DIR: '/repository/.git/worktrees/linked',
    GIT_CONFIG_COUNT: '0',
    LANG: 'de_DE.UTF-8',
    LANGUAGE: 'de:fr',
    LC_ALL: 'not_INSTALLED',
    LC_TIME: 'de_DE',
    PETSTORE_API_KEY: 'petstore_prod_1',
    NO_COLOR: '1',
  };
  forgetSettings(env);
  expect(env).toStrictEqual(kept);
});
