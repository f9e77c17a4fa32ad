import { readFileSync } from 'node:fs';
import { Agent, type AgentOptions } from 'node:https';
import { type LoadedConfigSelectors, loadConfig } from '@smithy/core/config';
import { CliError } from '../cli/errors.ts';

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
 * @throws CliError if Node cannot read them
 */
export const httpsSettings = async (): Promise<AgentOptions> => {
  const file = await loadConfig(caBundle)();
  const settings = { proxyEnv: process.env, ...(file && { ca: readCertificates(file) }) };
  if (!hasReadableProxy(settings)) {
    throw new CliError(
      'HTTPS_PROXY is not the URL of a proxy, such as http://proxy.example:3128. ' +
        'In a password, write %25 for %.',
    );
  }
  return settings;
};

/** Whether Node reads the proxy of the environment, if there is one. Its own words show a password. */
const hasReadableProxy = (settings: AgentOptions): boolean => {
  const { https_proxy, HTTPS_PROXY } = process.env;
  const proxy = https_proxy || HTTPS_PROXY || '';
  try {
    new Agent(settings).destroy();
    // Node ignores any other, and would connect directly.
    return proxy === '' || /^https?:/.test(proxy);
  } catch {
    return false;
  }
};

const readCertificates = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (cause) {
    const { message } = cause as Error;
    throw new CliError(`AWS_CA_BUNDLE, or ca_bundle of the profile: ${message}.`, { cause });
  }
};
