import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../cli/cli-error.ts';
import type { Terminal } from '../cli/terminal.ts';

const project = join(import.meta.dirname, '../..');

interface CdkDeployProps {
  stageName: string;
  /** The directory of the cloud assembly. */
  assembly: string;
  /** The file to which cdk writes the outputs of the stack. */
  outputs: string;
  /** Ends cdk, as an interruption does. */
  signal?: AbortSignal | undefined;
}

/**
 * Deploys a stage with cdk, and passes on what it prints. An interruption ends cdk; CloudFormation
 * goes on with what it has begun.
 * @throws CliError if cdk fails
 */
export const cdkDeploy = async (terminal: Terminal, props: CdkDeployProps): Promise<void> => {
  const { env, stdout, stderr } = terminal;
  const { stageName, assembly, outputs, signal } = props;
  // cdk need not ask about permissions, because the tests assert every role and policy of a stack.
  const options = ['--outputs-file', outputs, '--require-approval', 'never', '--ci'];
  const child = spawn(
    process.execPath,
    ['node_modules/aws-cdk/bin/cdk', 'deploy', `${stageName}/*`, '--app', assembly, ...options],
    { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  // On a terminal, Ctrl-C reaches cdk by itself, but no other interruption does.
  for (const each of [terminal.signal, signal]) {
    each?.addEventListener('abort', () => child.kill());
  }
  // Unlike pipe(), this goes on reading after our own reader has left; otherwise cdk would block.
  child.stdout.on('data', (chunk) => stdout.write(chunk));
  child.stderr.on('data', (chunk) => stderr.write(chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) {
    throw new CliError('failed', 'cdk deploy failed.');
  }
};

/** Returns the base URL in the file to which cdk has written the outputs of a stack. */
export const baseUrlIn = (outputs: string): string => {
  const stacks: Record<string, { BaseUrl?: string }> = JSON.parse(readFileSync(outputs, 'utf8'));
  const [stack] = Object.values(stacks);
  return stack?.BaseUrl ?? '';
};
