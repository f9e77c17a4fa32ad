import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isWellFormedApiKey } from '../../functions/keys/api-key.ts';
import { CliError } from '../cli/errors.ts';
import { withoutKeys } from '../cli/terminal.ts';
import { type DeployedStack, findStack } from './deployed-stage.ts';
import { httpsSettings } from './https-settings.ts';

/**
 * Looks at what would make a release fail after its deployment: the base URL and the key for the
 * acceptance tests, and the stack policy. Returns what to print, with the commit that runs now.
 * @throws Error that says what is wrong
 */
export const checkStage = async (stageName: string, env: NodeJS.ProcessEnv): Promise<string> => {
  const { PETSTORE_BASE_URL: baseUrl = '', PETSTORE_API_KEY: apiKey = '' } = env;
  const stack = await findStack(stageName, noTerminal);
  const { BaseUrl, Commit = 'unknown' } = stack.outputs;
  if (baseUrl !== BaseUrl) {
    // The two variables may have been mixed up, and logs of releases are read by many.
    const given = withoutKeys(baseUrl);
    throw new CliError(
      `PETSTORE_BASE_URL is "${given}", but ${stack.name} serves ${BaseUrl ?? 'nothing yet'}.`,
    );
  }
  // Trimmed of what a file or a clipboard adds to it, as in the acceptance tests.
  await checkKey(stageName, baseUrl, apiKey.trim().replace(/^Bearer\s+/i, ''));
  await checkStackPolicy(stack);
  return `${stack.id}\nruns commit ${Commit}. To roll back, see docs/runbook.md#roll-back.`;
};

const noTerminal = async (serialNumber: string): Promise<string> => {
  throw new CliError(`AWS asks for the code of ${serialNumber}. Releases need a role without MFA.`);
};

/** Asks for the list with the key, and reads none of it: prod's may be long. */
const checkKey = async (stageName: string, baseUrl: string, apiKey: string): Promise<void> => {
  if (!isWellFormedApiKey(apiKey, stageName)) {
    const form = `petstore_${stageName}_ and 48 hex digits, the last 8 of them a checksum`;
    throw new CliError(`PETSTORE_API_KEY isn't a ${stageName} key: ${form}.`);
  }
  const list = `GET ${baseUrl}/inventory`;
  const status = await statusOf(`${baseUrl}/inventory`, apiKey).catch((error) => {
    throw new CliError(`${list} failed: ${error.message}`);
  });
  if (status === 401) {
    throw new CliError(
      `${stageName} doesn't know the key in PETSTORE_API_KEY, or it has expired or been revoked.`,
    );
  }
  if (status !== 200) {
    throw new CliError(`${list} responded ${status}, not 200.`);
  }
};

/** Sends a request without following a redirect, to where the key would go along. */
const statusOf = async (url: string, apiKey: string): Promise<number | undefined> => {
  const isHttps = url.startsWith('https:');
  const { get } = isHttps ? https : http;
  const sent = get(url, {
    headers: { Authorization: `Bearer ${apiKey}` },
    ...(isHttps && { agent: new https.Agent(await httpsSettings()) }),
    signal: AbortSignal.timeout(60_000),
  });
  const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage];
  sent.on('error', () => {}).destroy();
  return statusCode;
};

/** Finds out whether CloudFormation would refuse what must not be lost. */
const checkStackPolicy = async ({ cloudFormation, name }: DeployedStack): Promise<void> => {
  const file = 'infra/stack-policy.json';
  const ours = JSON.parse(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'));
  const { StackPolicyBody = 'null' } = await cloudFormation.getStackPolicy({ StackName: name });
  if (!isDeepStrictEqual(JSON.parse(StackPolicyBody), ours)) {
    const set = `set-stack-policy --stack-name ${name} --stack-policy-body file://${file}`;
    throw new CliError(
      `${name} does not have the stack policy in ${file}. Nothing was deployed.\n` +
        `To set it: aws cloudformation ${set}`,
    );
  }
};
