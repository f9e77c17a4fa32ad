import { CliError } from '../cli/cli-error.ts';
import { tell } from '../cli/terminal.ts';
import { appOption } from '../preflight/preflight.ts';
import { cdkDeploy } from './cdk-deploy.ts';
import type { Release, ReleasedStage } from './release.ts';
import { watchedDeployment } from './watched-deployment.ts';

/**
 * Deploys prod, and stops the deployment if prod answers wrongly.
 * @param outputs the file to which cdk writes the outputs of the stack
 */
export const deployProd = async (
  { terminal, options, assembly }: Release,
  { stageName, apiKey = '' }: ReleasedStage,
  outputs: string,
): Promise<void> => {
  // Imported here, because loading the SDK's clients would slow every other command down by half a
  // second.
  const { findDeployment } = await import('../preflight/deployment.ts');
  const { statusOf, stopUpdate } = await import('./stop-update.ts');
  const deployment = await findDeployment({
    stageName,
    assembly,
    assemblyOption: appOption(options.app),
    // The preflight has reported all that there is to report.
    report: () => undefined,
  });
  const deployed = await deployment?.deployed;
  if (!deployment || !deployed) {
    throw new CliError('unavailable', `${stageName} is not deployed, so it cannot be watched.`);
  }
  const { stackName, template } = deployment.stack;
  const stack = { stackName, template, reader: deployment.client };

  await watchedDeployment(terminal, {
    service: { stageName, apiKey, baseUrl: deployed.baseUrl },
    deploy: (signal) => cdkDeploy(terminal, { stageName, assembly, outputs, signal }),
    stop: (endDeploy) => stopUpdate(stack, { endDeploy, tell: (line) => tell(terminal, line) }),
    status: () => statusOf(stack),
    unwatched: deployment.cdk('deploy'),
  });
};
