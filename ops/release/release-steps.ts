import { join } from 'node:path';
import { runAcceptance } from '../acceptance/run-acceptance.ts';
import { CliError } from '../cli/cli-error.ts';
import { confirm } from '../cli/questions.ts';
import type { Terminal } from '../cli/terminal.ts';
import { preflight } from '../preflight/preflight.ts';
import { baseUrlIn, cdkDeploy } from './cdk-deploy.ts';
import { deployProd } from './deploy-prod.ts';
import { type Release, type ReleasedStage, type ReleaseOptions, releaseAgain } from './release.ts';
import type { Step } from './step.ts';

export const stepsOf = (release: Release, stage: ReleasedStage): Step[] =>
  stage.stageName === 'prod' ? stepsOfProd(release, stage) : stepsOfStaging(release, stage);

const stepsOfStaging = (release: Release, stage: ReleasedStage): Step[] => {
  const { terminal, options, assembly } = release;
  const { stageName } = stage;
  const outputs = outputsOf(release, stage);
  const hintOnFailure = `To continue: ${releaseAgain(options, options.stage)}`;
  return [
    preflightStep(release, stage, hintOnFailure),
    {
      name: 'deploy staging',
      hintOnFailure,
      run: () => cdkDeploy(terminal, { stageName, assembly, outputs }),
    },
    { name: 'acceptance staging', hintOnFailure, run: () => check(release, stage) },
  ];
};

const stepsOfProd = (release: Release, stage: ReleasedStage): Step[] => {
  const { terminal, options } = release;
  const outputs = outputsOf(release, stage);
  const hintOnFailure = `To continue: ${releaseAgain(options, 'prod')}`;
  return [
    preflightStep(release, stage, hintOnFailure),
    { name: 'confirm prod', hintOnFailure, run: () => confirmProd(terminal, options) },
    {
      name: 'deploy prod',
      hintOnFailure,
      run: () => deployProd(release, stage, outputs),
    },
    {
      name: 'smoke test prod',
      hintOnFailure: 'prod runs the new version; docs/roll-back.md says how to roll back.',
      run: () => check(release, stage),
    },
  ];
};

const preflightStep = (
  { terminal, options, assembly }: Release,
  { stageName }: ReleasedStage,
  hintOnFailure: string,
): Step => ({
  name: `preflight ${stageName}`,
  hintOnFailure,
  run: () => preflight(terminal, { stage: stageName, app: options.app }, assembly),
});

const outputsOf = ({ directory }: Release, { stageName }: ReleasedStage): string =>
  join(directory, `${stageName}.json`);

/** Runs the acceptance suite against what was deployed. In prod, it changes nothing. */
const check = async (release: Release, stage: ReleasedStage): Promise<void> => {
  const baseUrl = baseUrlIn(outputsOf(release, stage));
  const readOnly = stage.stageName === 'prod';
  const apiKey = stage.apiKey ?? release.terminal.env.ACCEPTANCE_API_KEY ?? '';
  const run = { baseUrl, apiKey, readOnly, keyAccess: 'write' as const };
  if (!(await runAcceptance(release.terminal, run))) {
    throw new CliError('failed', `${baseUrl} differs from the contract.`);
  }
};

const confirmProd = async (terminal: Terminal, { yes }: ReleaseOptions): Promise<void> => {
  const question = { question: 'Deploy prod?', isConfirmed: yes, signal: terminal.signal };
  try {
    await confirm(terminal, question);
  } catch (error) {
    (error as CliError).message = 'prod was not deployed.';
    throw error;
  }
};
