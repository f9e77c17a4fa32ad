import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../cli/cli-error.ts';

const project = join(import.meta.dirname, '../..');

interface CdkDeployProps {
  stageName: string;
  /** The directory of the cloud assembly, in which this may write a file. */
  assembly: string;
  env: NodeJS.ProcessEnv;
  /** Ends cdk; CloudFormation goes on with what it has begun. */
  signal: AbortSignal;
}

/**
 * Deploys a stage with cdk, which prints on standard error, and returns its base URL.
 * @throws CliError if cdk fails or is interrupted
 */
export const cdkDeploy = async (props: CdkDeployProps): Promise<string> => {
  const { stageName, assembly, env, signal } = props;
  const outputs = join(assembly, `outputs-of-${stageName}.json`);
  // cdk need not ask about permissions, because the tests assert every role and policy of a stack.
  const options = ['--outputs-file', outputs, '--require-approval', 'never'];
  const child = spawn(
    process.execPath,
    ['node_modules/aws-cdk/bin/cdk', 'deploy', `${stageName}/*`, '--app', assembly, ...options],
    { cwd: project, env, stdio: ['ignore', process.stderr, process.stderr] },
  );
  // On a terminal, Ctrl-C reaches cdk by itself, but no other interruption does.
  const end = () => child.kill();
  signal.addEventListener('abort', end);
  const [code] = await once(child, 'close');
  signal.removeEventListener('abort', end);
  if (signal.aborted) {
    const message = 'Interrupted. CloudFormation goes on with what it has begun.';
    throw new CliError('interrupted', message);
  }
  if (code !== 0) {
    throw new CliError('failed', 'cdk deploy failed.');
  }
  const stacks: Record<string, { BaseUrl: string }> = JSON.parse(readFileSync(outputs, 'utf8'));
  return Object.values(stacks)[0]?.BaseUrl ?? '';
};
