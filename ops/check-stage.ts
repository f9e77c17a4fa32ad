/**
 * What a release looks at before it deploys to a stage: the key with which acceptance will run, and
 * the stack policy. Prints the commit to go back to. Needs the AWS CLI and its credentials.
 *
 *     PETSTORE_BASE_URL=… PETSTORE_API_KEY=… npm run check-stage staging
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
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return JSON.parse(execFileSync('aws', args, { encoding: 'utf8', stdio: [...stdio] }) || 'null');
};

/** Asks for the list with the key, and reads none of it: prod's may be long. */
const checkKey = async (stage: string, baseUrl: string): Promise<void> => {
  // Trimmed of what a file or a clipboard adds to it, as by acceptance.
  const apiKey = process.env.PETSTORE_API_KEY?.trim().replace(/^Bearer\s+/i, '') ?? '';
  if (!isWellFormedApiKey(apiKey, stage)) {
    const form = `petstore_${stage}_ and 48 hex digits, the last 8 of them a checksum`;
    throw new Error(`PETSTORE_API_KEY is no key of ${stage}: ${form}.`);
  }
  const list = `GET ${baseUrl}/inventory`;
  const { status, body } = await fetch(`${baseUrl}/inventory`, {
    headers: { Authorization: `Bearer ${apiKey}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
  }).catch((error) => {
    throw new Error(`${list} failed: ${error.cause?.message ?? error.message}`);
  });
  await body?.cancel();
  if (status === 401) {
    throw new Error(`${stage} does not know the key in PETSTORE_API_KEY, or it has ended.`);
  }
  if (status !== 200) {
    throw new Error(`${list} responded ${status}, not 200.`);
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

const checkStage = async (stage: string | undefined): Promise<string> => {
  if (stage === undefined) {
    throw new Error('Say which stage: npm run check-stage staging');
  }
  const { PETSTORE_BASE_URL: baseUrl = '' } = process.env;
  const stackName = `${stage}-petstore-inventory`;
  const { Stacks } = aws('describe-stacks', stackName) as { Stacks: [DescribedStack] };
  const [{ StackId, Outputs = [] }] = Stacks;
  const { BaseUrl = 'nothing yet', Commit = 'unknown' } = Object.fromEntries(
    Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
  if (baseUrl !== BaseUrl) {
    throw new Error(`PETSTORE_BASE_URL is "${baseUrl}", but ${stackName} serves ${BaseUrl}.`);
  }
  await checkKey(stage, baseUrl);
  checkPolicy(stackName);
  return `${StackId}\nruns commit ${Commit}: what to go back to.`;
};

try {
  console.log(await checkStage(process.argv[2]));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
