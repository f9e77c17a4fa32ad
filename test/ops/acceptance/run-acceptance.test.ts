import { expect, test } from '@jest/globals';
import { printable, suiteEnvironment } from '../../../ops/acceptance/run-acceptance.ts';

const run = {
  baseUrl: 'https://pets.example/v1',
  apiKey: 'petstore_staging_given',
  readOnly: true,
  keyAccess: 'write' as const,
};

test('the suite gets no credentials of AWS and GitHub, and no key but its own', () => {
  const environment = {
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'secret',
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'secret',
    GITHUB_TOKEN: 'secret',
    PETSTORE_PROD_API_KEY: 'secret',
    PETSTORE_STAGING_API_KEY: 'secret',
    ACCEPTANCE_API_KEY: 'of another run',
    NODE_EXTRA_CA_CERTS: 'kept',
  };
  expect(suiteEnvironment(environment, run)).toEqual({
    NODE_EXTRA_CA_CERTS: 'kept',
    ACCEPTANCE_BASE_URL: 'https://pets.example/v1',
    ACCEPTANCE_API_KEY: 'petstore_staging_given',
    ACCEPTANCE_READ_ONLY: 'true',
    ACCEPTANCE_KEY_ACCESS: 'write',
    FORCE_COLOR: '0',
  });
});

test.each([
  { what: 'the key', line: 'Bearer petstore_staging_given', printed: 'Bearer <API_KEY>' },
  { what: 'an escape sequence', line: '\u001b[2J', printed: '\\u001b[2J' },
  { what: 'an escape sequence of one character', line: '\u009b2J', printed: '\\u009b2J' },
  { what: 'a change of the direction of text', line: '\u202e', printed: '\\u202e' },
  { what: 'nothing else', line: '\t✓ lists “Größe”', printed: '\t✓ lists “Größe”' },
])('a printed line quotes a service without $what', ({ line, printed }) => {
  expect(printable(line, run.apiKey)).toBe(printed);
});
