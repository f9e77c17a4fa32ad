/**
 * What a release looks at before it deploys to a stage: the key with which acceptance will run, and
 * the stack policy. Prints the commit to go back to. Needs the AWS CLI and its credentials.
 *
 *     PETSTORE_BASE_URL=… PETSTORE_API_KEY=… node node-24.cjs .ci/check-stage.ts staging
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isWellFormedApiKey } from '../functions/keys/api-key.ts';

interface DescribedStack {
  StackId: string;
  Outputs?: { OutputKey: string; OutputValue: string }[];
}

/** Returns what a command of the AWS CLI prints about a stack. Its errors are seen as they are. */
const aws = (command: string, stackName: string): unknown => {
  const args = ['cloudformation', command, '--stack-name', stackName, '--output', 'json'];
  try {
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    return JSON.parse(execFileSync('aws', args, { encoding: 'utf8', stdio: [...stdio] }) || 'null');
  } catch (error) {
    throw new Error(`aws ${args.slice(0, 4).join(' ')} failed.`, { cause: error });
  }
};

/** Returns a key without what a file or a clipboard adds to it. */
const trimmed = (apiKey: string): string => apiKey.trim().replace(/^Bearer +/i, '');

/** Asks for the list with the key, and reads none of it: prod's may be long. */
const checkKey = async (stage: string, baseUrl: string, apiKey: string): Promise<void> => {
  if (!isWellFormedApiKey(apiKey, stage)) {
    const form = `petstore_${stage}_ and 48 hex digits, the last 8 of them a checksum`;
    throw new Error(`PETSTORE_API_KEY is no key of ${stage}: ${form}.`);
  }
  const { status, body } = await get(`${baseUrl}/inventory`, apiKey);
  await body?.cancel();
  if (status === 401) {
    throw new Error(`${stage} does not know the key in PETSTORE_API_KEY, or it has ended.`);
  }
  if (status !== 200) {
    throw new Error(`GET ${baseUrl}/inventory responded ${status}, not 200.`);
  }
};

const get = async (url: string, apiKey: string): Promise<Response> => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  try {
    return await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(60_000) });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new Error(`GET ${url} failed: ${cause instanceof Error ? cause.message : message}`);
  }
};

/** Finds out whether CloudFormation would refuse what must not be lost. */
const checkPolicy = (stackName: string): void => {
  const file = 'infra/stack-policy.json';
  const ours = JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8'));
  const found = aws('get-stack-policy', stackName) as { StackPolicyBody?: string } | null;
  if (isDeepStrictEqual(JSON.parse(found?.StackPolicyBody ?? 'null'), ours)) {
    return;
  }
  const set = `set-stack-policy --stack-name ${stackName} --stack-policy-body file://${file}`;
  throw new Error(`${stackName} does not have the stack policy of ${file}. Nothing was deployed.
To set it: aws cloudformation ${set}`);
};

const checkStage = async (stage: string): Promise<string> => {
  const { PETSTORE_BASE_URL: baseUrl = '', PETSTORE_API_KEY: apiKey = '' } = process.env;
  const stackName = `${stage}-petstore-inventory`;
  const { Stacks } = aws('describe-stacks', stackName) as { Stacks: [DescribedStack] };
  const [{ StackId, Outputs = [] }] = Stacks;
  const { BaseUrl, Commit = 'unknown' } = Object.fromEntries(
    Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
  if (baseUrl !== BaseUrl) {
    throw new Error(`PETSTORE_BASE_URL is "${baseUrl}", but ${stackName} serves ${BaseUrl}.`);
  }
  await checkKey(stage, baseUrl, trimmed(apiKey));
  checkPolicy(stackName);
  return `${StackId}\nruns commit ${Commit}: what to go back to.`;
};

try {
  const [stage] = process.argv.slice(2);
  if (stage === undefined) {
    throw new Error('Say which stage: node node-24.cjs .ci/check-stage.ts staging');
  }
  console.log(await checkStage(stage));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
