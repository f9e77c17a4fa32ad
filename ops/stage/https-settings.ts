import { readFileSync } from 'node:fs';
import type { AgentOptions } from 'node:https';
import { type LoadedConfigSelectors, loadConfig } from '@smithy/core/config';

/** Where the file of certificates is named. */
const caBundle: LoadedConfigSelectors<string | undefined> = {
  environmentVariableSelector: ({ AWS_CA_BUNDLE }) => AWS_CA_BUNDLE,
  configFileSelector: ({ ca_bundle }) => ca_bundle,
  default: undefined,
};

/**
 * Returns the settings of every connection to AWS or to a deployed stage, which may have to pass a
 * company's proxy: HTTPS_PROXY and NO_PROXY, which Node heeds from 24.5, and the certificates that
 * the AWS CLI and the CDK take instead of the usual ones.
 */
export const httpsSettings = async (): Promise<AgentOptions> => {
  const file = await loadConfig(caBundle)();
  return { proxyEnv: process.env, ...(file && { ca: readFileSync(file) }) };
};
