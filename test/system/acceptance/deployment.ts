// The suite that petstore acceptance runs.
import { serviceAt } from '../../support/http/http-client.ts';
import { defineChecks } from './suite.ts';

const { ACCEPTANCE_BASE_URL: baseUrl = '', ACCEPTANCE_API_KEY: apiKey = '' } = process.env;

defineChecks({
  name: baseUrl,
  readOnly: process.env.ACCEPTANCE_READ_ONLY !== undefined,
  start: async () => serviceAt(baseUrl, apiKey),
});
