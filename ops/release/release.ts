import { copyAssembly } from '../../infra/assembly/kept-assembly.ts';
import { stageStack } from '../../infra/assembly/stage-stack.ts';
import { synthesizeAnew } from '../../infra/assembly/synthesize.ts';
import { isSendable } from '../acceptance/request-list.ts';
import { runAcceptance } from '../acceptance/run-acceptance.ts';
import { CliError } from '../cli/cli-error.ts';
import { npxPetstore, shellQuoted } from '../cli/command-line.ts';
import { pages } from '../cli/pages.ts';
import { confirm } from '../cli/questions.ts';
import { print, type Terminal, tell, untilInterrupted } from '../cli/terminal.ts';
import { toCliError } from '../cli/to-cli-error.ts';
import { adviceFor, isFirstDeploymentUnfinished, outputOf, placeOf } from '../stage/stack.ts';
import { type StageName, stageNames } from '../stage/stage.ts';
import { cdkDeploy } from './cdk-deploy.ts';
import { lossesOf, replacementsOf } from './losses.ts';
import { findTarget, type Target } from './target.ts';

export interface ReleaseOptions {
  stage?: StageName;
  /** The cloud assembly, as the operator named it. Without it, one is synthesized. */
  app?: string;
  yes?: boolean;
  json?: boolean;
}

/** What a release starts. */
const programs = { deploy: cdkDeploy, accept: runAcceptance };

interface Release {
  terminal: Terminal;
  options: ReleaseOptions;
  /** The directory of the cloud assembly, which nobody else changes. */
  assembly: string;
  apiKeys: Map<StageName, string>;
  programs: typeof programs;
}

/** A stage that was released, as `--json` prints it. */
interface ReleasedStage {
  stage: StageName;
  stackName: string;
  place: string;
  commitBefore: string;
  commit: string;
  baseUrl: string;
}

/**
 * Releases one assembly to staging and, if that keeps the contract, to prod. Throws a CliError that
 * says what was done and how to continue.
 */
export const release = async (
  terminal: Terminal,
  options: ReleaseOptions,
  started = programs,
): Promise<void> => {
  const stages = stageNames.filter((name) => options.stage === undefined || options.stage === name);
  const apiKeys = apiKeysOf(terminal.env, stages);
  // Neither the CDK nor the suite finds a key of another stage in its environment.
  const { PETSTORE_STAGING_API_KEY, PETSTORE_PROD_API_KEY, ...env } = terminal.env;
  const withoutKeys: Terminal = { ...terminal, env };
  const assembly = await assemblyFor(withoutKeys, options, stages);
  const all = { terminal: withoutKeys, options, assembly, apiKeys, programs: started };

  const released: ReleasedStage[] = [];
  for (const stage of stages) {
    const done = released.map((each) => `${each.stage} runs ${each.commit}`).join(', ');
    released.push(await releaseStage(all, stage, done || 'nothing'));
  }
  const lines = released.map(
    ({ stage, commit, commitBefore }) =>
      `${stage} runs ${commit} and keeps the contract. Before, it ran ${commitBefore}.`,
  );
  print(terminal, options, released, lines.join('\n'));
};

/** Returns the keys with which the stages are checked after their deployments. */
const apiKeysOf = (env: NodeJS.ProcessEnv, stages: StageName[]): Map<StageName, string> => {
  const apiKeys = stages.map((stage) => {
    const variable = `PETSTORE_${stage.toUpperCase()}_API_KEY`;
    const apiKey = env[variable];
    if (apiKey === undefined || !isSendable(apiKey)) {
      const message = `${variable} holds no API key, with which ${stage} is checked.`;
      const create = `${npxPetstore} keys create --name release --stage ${stage}`;
      throw new CliError('usage', message, { hint: `export ${variable}=$(${create})` });
    }
    return [stage, apiKey] as const;
  });
  return new Map(apiKeys);
};

const assemblyFor = async (
  terminal: Terminal,
  { app }: ReleaseOptions,
  stages: StageName[],
): Promise<string> => {
  if (app === undefined) {
    // What is deployed is made from the packages as they are now, which an assembly that was kept
    // need not be.
    return untilInterrupted(terminal, synthesizeAnew('*', terminal.env));
  }
  // Before the copy, so that an error names the directory that the operator has named.
  for (const stage of stages) {
    stageStack(app, stage);
  }
  // A cdk synth in the meantime must not make prod get a build that staging has not tested.
  return copyAssembly(app);
};

const releaseStage = async (
  release: Release,
  stage: StageName,
  done: string,
): Promise<ReleasedStage> => {
  const { terminal, options } = release;
  const again = `${npxPetstore} release${stageOption(options, stage)}${appOption(options)}`;
  const toContinue = `Done: ${done}. To continue: ${again}`;
  const deployed = await withHint(terminal, toContinue, deploy(release, stage));
  const afterwards =
    stage === 'prod'
      ? `prod runs ${deployed.commit}. Roll back: ${pages.rollBack}`
      : `Done: staging runs ${deployed.commit}. To continue: ${again}`;
  await withHint(terminal, afterwards, check(release, deployed));
  return deployed;
};

/** Once staging is released, prod alone is left. */
const stageOption = ({ stage }: ReleaseOptions, next: StageName): string =>
  stage === undefined && next === 'staging' ? '' : ` --stage ${next}`;

const appOption = ({ app }: ReleaseOptions): string =>
  app === undefined ? '' : ` --app ${shellQuoted(app)}`;

/** Waits for some work. Adds a hint to its error, or to that of an interruption meanwhile. */
const withHint = async <Result>(
  { signal }: Terminal,
  hint: string,
  work: Promise<Result>,
): Promise<Result> => {
  try {
    const result = await work;
    signal.throwIfAborted();
    return result;
  } catch (error) {
    const { code, message, details, cause } = toCliError(error);
    const hints = [details.hint, hint].filter(Boolean).join('\n');
    throw new CliError(code, message, { hint: hints, cause });
  }
};

/** Deploys a stage, after a question if it is prod. */
const deploy = async (release: Release, stage: StageName): Promise<ReleasedStage> => {
  const { terminal, options, assembly, programs } = release;
  const cdkOptions = appOption(options);
  const finding = findTarget({ stageName: stage, assembly, cdkOptions });
  const target = await untilInterrupted(terminal, finding);
  assertAtRest(stage, target, cdkOptions);
  assertNoLoss(stage, target, cdkOptions);

  const { stackName, stack, after } = target;
  const place = placeOf(stack);
  const commitBefore = outputOf(stack, 'Commit') ?? 'an unknown commit';
  const commit = commitOf(after);
  tell(terminal, `release: ${stage} in ${place} runs ${commitBefore}, and gets ${commit}.`);
  await confirm(terminal, {
    question: `Deploy ${stackName} in ${place}?`,
    isConfirmed: options.yes || stage !== 'prod',
    signal: terminal.signal,
  });
  const { env, signal } = terminal;
  const baseUrl = await programs.deploy({ stageName: stage, assembly, env, signal });
  return { stage, stackName, place, commitBefore, commit, baseUrl };
};

const commitOf = ({ Outputs }: Target['after']): string =>
  (Outputs as { Commit?: { Value: string } }).Commit?.Value ?? 'an unknown commit';

/** Throws unless a stack is complete and nothing changes it. */
const assertAtRest = (stage: StageName, target: Target, cdkOptions: string): void => {
  const { stackName, stack, before, after } = target;
  const advice = adviceFor({ stageName: stage, stack, cdkOptions });
  if (advice === undefined) {
    return;
  }
  const replaced = isFirstDeploymentUnfinished(stack) ? replacementsOf(before, after) : [];
  const becauseOf =
    replaced.length > 0 ? ` The CDK will ask, because this replaces ${replaced.join(', ')}.` : '';
  const message = `${stackName} is ${stack.StackStatus}.${becauseOf}`;
  throw new CliError('failed', message, { hint: advice });
};

/** Throws if the deployment would replace or delete what holds data or what clients call. */
const assertNoLoss = (stage: StageName, target: Target, cdkOptions: string): void => {
  const losses = lossesOf(target.before, target.after);
  if (losses.length > 0) {
    const message = `The deployment of ${stage} ${losses.join(', ')}.`;
    const anyway = `npx cdk deploy '${stage}/*'${cdkOptions}`;
    throw new CliError('failed', message, { hint: `If that is meant: ${anyway}` });
  }
};

/** Throws unless what was deployed keeps the contract. In prod, nothing is changed to find out. */
const check = async (release: Release, { stage, baseUrl }: ReleasedStage): Promise<void> => {
  const { terminal, apiKeys, programs } = release;
  const passed = await programs.accept(terminal, {
    baseUrl,
    apiKey: apiKeys.get(stage) ?? '',
    readOnly: stage === 'prod',
    keyAccess: 'write',
  });
  if (!passed) {
    throw new CliError('failed', `${baseUrl} differs from the contract.`);
  }
};
