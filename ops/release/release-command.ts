import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import { copyAssembly } from '../../infra/assembly/kept-assembly.ts';
import { stageStack } from '../../infra/assembly/stage-stack.ts';
import { synthesizeAnew } from '../../infra/assembly/synthesize.ts';
import { parsePath } from '../cli/arguments.ts';
import { CliError } from '../cli/cli-error.ts';
import { PetstoreCommand } from '../cli/petstore-command.ts';
import { type Terminal, untilInterrupted } from '../cli/terminal.ts';
import { appOption } from '../preflight/preflight.ts';
import { stageNames } from '../stage/stage.ts';
import { type ReleasedStage, type ReleaseOptions, releaseAgain } from './release.ts';
import { stepsOf } from './release-steps.ts';
import { runSteps } from './run-steps.ts';

export const releaseCommand = (terminal: Terminal): PetstoreCommand =>
  new PetstoreCommand('release')
    .examples('release', 'release --app cdk.out --stage prod --yes')
    .description('release the service: staging first, and prod if staging keeps the contract')
    .addOption(
      new Option('--stage <stage>', 'take only the steps of this stage').choices(stageNames),
    )
    .option('--app <dir>', 'release this cloud assembly (default: synthesizes one)', parsePath)
    .option('--yes', 'deploy prod without asking')
    .addHelpText(
      'after',
      '\nEnvironment: AWS credentials and region; PETSTORE_STAGING_API_KEY, PETSTORE_PROD_API_KEY.',
    )
    .action((options: ReleaseOptions) => release(terminal, options));

const release = async (terminal: Terminal, options: ReleaseOptions): Promise<void> => {
  // No step finds a key in its environment: each is given the one of its stage, if it needs one.
  const { PETSTORE_STAGING_API_KEY, PETSTORE_PROD_API_KEY, ...env } = terminal.env;
  // With --json, standard output is for the result alone.
  const stdout = options.json ? terminal.stderr : terminal.stdout;
  const terminalOfSteps: Terminal = { ...terminal, env, stdout };
  const stages = [
    { stageName: 'staging', apiKey: PETSTORE_STAGING_API_KEY },
    { stageName: 'prod', apiKey: PETSTORE_PROD_API_KEY },
  ].filter(({ stageName }) => options.stage === undefined || options.stage === stageName);

  const assembly = await assemblyFor(terminalOfSteps, options, stages);
  await expectReady(terminal, { options, stages, assembly });
  stdout.write(
    'Each stage takes a few minutes, and as long as its deploymentConfig in ' +
      'infra/settings/stages.ts shifts traffic.\n',
  );

  const directory = mkdtempSync(join(tmpdir(), 'petstore-release-'));
  const common = { terminal: terminalOfSteps, options, assembly, directory };
  const steps = stages.flatMap((stage) => stepsOf(common, stage));
  try {
    await runSteps(terminal, options, steps);
  } finally {
    rmSync(directory, { recursive: true });
  }
};

/** Returns the directory of an assembly that nobody else changes, for all steps of a release. */
const assemblyFor = async (
  terminal: Terminal,
  { app }: ReleaseOptions,
  stages: ReleasedStage[],
): Promise<string> => {
  if (app === undefined) {
    // What is deployed is made from the packages as they are now, which an assembly that was kept
    // need not be.
    return untilInterrupted(terminal, synthesizeAnew('*', terminal.env));
  }
  // Before the copy, so that an error names the directory that the operator has named.
  for (const { stageName } of stages) {
    stageStack(app, stageName);
  }
  // A cdk synth in the meantime must not make prod get a build that staging has not tested.
  return copyAssembly(app);
};

interface Readiness {
  options: ReleaseOptions;
  stages: ReleasedStage[];
  assembly: string;
}

/** Throws a CliError with the commands that must come first, if there are any. */
const expectReady = async (
  terminal: Terminal,
  { options, stages, assembly }: Readiness,
): Promise<void> => {
  // Imported here, because loading the SDK's clients would slow every other command down by half a
  // second.
  const { commandsBefore } = await import('../preflight/before-release.ts');
  const assemblyOption = appOption(options.app);
  const needed = stages.map((stage) => commandsBefore({ ...stage, assembly, assemblyOption }));
  const commands = (await untilInterrupted(terminal, Promise.all(needed))).flat();
  if (commands.length > 0) {
    const message =
      'The checks after a deployment need an API key and, in staging, stock. ' +
      'Nothing was deployed.';
    const again = releaseAgain(options, options.stage);
    throw new CliError('unavailable', message, {
      hint: ['Run these first:', ...commands, again].join('\n'),
    });
  }
};
