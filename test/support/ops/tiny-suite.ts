// What petstore acceptance runs in some tests, in place of its own suite: see quick-suite.ts.
import { describe, expect, test } from '@jest/globals';

const { ACCEPTANCE_BASE_URL: baseUrl = '', ACCEPTANCE_API_KEY: apiKey = '' } = process.env;
const readOnly = process.env.ACCEPTANCE_READ_ONLY === 'true';

process.stderr.write(`variables: ${Object.keys(process.env).join(' ')}\n`);

describe(baseUrl, () => {
  describe('GET /inventory', () => {
    test('returns a list', async () => {
      const headers = { Authorization: `Bearer ${apiKey}` };
      const response = await fetch(`${baseUrl}/inventory`, { headers });
      expect(await response.text()).toMatch(/^\[/);
    });
  });

  if (!readOnly) {
    test('changes an entry', () => {});
  }
});
