import { expect, test } from '@jest/globals';
import manifest from '../../package.json' with { type: 'json' };
import { sessions } from '../support/ops/sessions.ts';

const { petstore } = await import('../support/ops/petstore.ts');

sessions(import.meta.dirname);

test('every way to ask for help, or for the version, is a success', async () => {
  const help = await petstore(['--help']);
  expect(help.code).toBe(0);
  expect(await petstore(['-h'])).toStrictEqual(help);
  expect(await petstore(['help'])).toStrictEqual(help);
  const version = { code: 0, output: `${manifest.version}\n`, errors: '' };
  expect(await petstore(['--version'])).toStrictEqual(version);
});

test.each([[], ['keys'], ['inventory']])(
  'petstore without a command is wrong usage, and shows the help: %j',
  async (...words) => {
    const { output } = await petstore([...words, '--help']);
    expect(await petstore(words)).toStrictEqual({ code: 2, output: '', errors: output });
  },
);
