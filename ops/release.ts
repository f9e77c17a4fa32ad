import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { synthesize } from '../infra/assembly/synthesize.ts';
import { acceptance } from './acceptance.ts';
import { CliError } from './cli/cli-error.ts';
import { explain } from './cli/explain-error.ts';
import { confirm, print, type Terminal } from './cli/terminal.ts';
import { untilInterrupted } from './cli/until-interrupted.ts';
import { appOption, preflight } from './preflight/preflight.ts';

interface ReleaseOptions {
  stage?: string;
  app?: string;
  yes?: boolean;
  json?: boolean;
}

interface Step {
  name: string;
  /** Throws if the release must not go on. */
  take: () => Promise<void>;
  /** What to do if it fails. */
  hint: string;
}

export const releaseCommand = (terminal: Terminal): Command =>
  new Command('release')
    .description('release the service: staging first, and prod if staging keeps the contract')
    .addOption(
      new Option('--stage <stage>', 'only the steps of staging, or only those of prod').choices(['staging', 'prod']),
    )
    .option('--app <dir>', 'release this cloud assembly (default: synthesizes one)')
    .option('--yes', 'deploy prod without asking')
    .option('--json', 'print as JSON what was done')
    .option('--verbose', 'show where an error comes from')
    .addHelpText(
      'after',
      '\nEnvironment: AWS credentials and region; PETSTORE_STAGING_API_KEY, PETSTORE_PROD_API_KEY.' +
        '\n\nExamples:\n  npx petstore release\n  npx petstore release --app cdk.out --stage prod --yes',
    )
    .action((options: ReleaseOptions) => release(terminal, options));

const release = async (terminal: Terminal, options: ReleaseOptions): Promise<void> => {
  // The SDK's clients take half a second, which the other commands need not spend.
  const { commandsBefore, shiftMinutes } = await import('./preflight/before-release.ts');
  // A step ends by itself, or at once with the Ctrl-C that it gets too; then nothing follows.
  const { signal } = terminal;
  const { PETSTORE_STAGING_API_KEY: staging, PETSTORE_PROD_API_KEY: prod, ...env } = terminal.env;
  const apiKeys: Record<string, string | undefined> = { staging, prod };
  // No step needs more keys than its own. With --json, what the steps print is no result.
  const stdout = options.json ? terminal.stderr : terminal.stdout;
  const below: Terminal = Object.create(terminal, { env: { value: env }, stdout: { value: stdout } });
  const stages = ['staging', 'prod'].filter((stage) => (options.stage ?? stage) === stage);
  const app = appOption(options.app);
  const assembly = resolve(options.app ?? (await untilInterrupted(terminal, synthesize('*'))));

  const missing = stages.map((stage) => commandsBefore(stage, assembly, apiKeys[stage], app));
  const commands = (await untilInterrupted(terminal, Promise.all(missing))).flat();
  if (commands.length > 0) {
    const message =
      'The checks after a deployment need a key of that stage and, in staging, stock. Nothing was deployed.';
    const again = `npx petstore release${options.stage ? ` --stage ${options.stage}` : ''}${app}`;
    throw new CliError('unavailable', message, { hint: ['Run these first:', ...commands, again].join('\n') });
  }

  const directory = mkdtempSync(join(tmpdir(), 'petstore-release-'));
  const deployed = (stage: string) => ({ stage, assembly, apiKey: apiKeys[stage], outputs: join(directory, stage) });
  const steps = stages.flatMap((stage) => stepsOf(below, deployed(stage), options));
  const names = steps.map(({ name }) => name);
  const waitOf = (stage: string) => {
    const minutes = shiftMinutes(stage, assembly);
    return minutes > 0 ? `, and ${minutes} in which traffic of ${stage} shifts to the new version` : '';
  };
  const done: string[] = [];
  try {
    stdout.write(`A release takes a few minutes for each stage${stages.map(waitOf).join('')}.\n`);
    for (const { name, take, hint } of steps) {
      stdout.write(`\nrelease: ${name} (${done.length + 1} of ${steps.length})\n`);
      await take().catch((error) => {
        const { code, message, hint: reason, cause } = explain(error);
        const hints = [reason, hint].filter(Boolean).join('\n');
        throw new CliError(signal.aborted ? 'interrupted' : code, `${name}: ${message}`, { hint: hints, cause });
      });
      done.push(name);
      if (signal.aborted) {
        throw new CliError('interrupted', 'Interrupted.', { hint });
      }
    }
  } finally {
    rmSync(directory, { recursive: true });
    const notDone = names.slice(done.length);
    const text = `\nrelease: done: ${done.join(', ') || 'nothing'}; not done: ${notDone.join(', ') || 'nothing'}.`;
    print(terminal, options, { done, notDone }, text);
  }
};

interface Deployment {
  stage: string;
  assembly: string;
  apiKey: string | undefined;
  /** The file that the outputs of the stack go to. */
  outputs: string;
}

const stepsOf = (
  terminal: Terminal,
  { stage, assembly, apiKey, outputs }: Deployment,
  { app, stage: onlyStage, yes }: ReleaseOptions,
): Step[] => {
  const isProd = stage === 'prod';
  const deploy = () => {
    const options = ['--app', assembly, '--outputs-file', outputs];
    // What the CDK would ask about, the tests assert and the preflight shows.
    return runCdk(terminal, 'deploy', `${stage}/*`, ...options, '--require-approval', 'never', '--ci');
  };
  const check = () => {
    const [stack] = Object.values(JSON.parse(readFileSync(outputs, 'utf8'))) as { BaseUrl: string }[];
    return acceptance(terminal, { baseUrl: stack?.BaseUrl ?? '', apiKey, readOnly: isProd });
  };
  const again = `To continue: npx petstore release${isProd || onlyStage ? ` --stage ${stage}` : ''}${appOption(app)}`;
  const rollBack = 'prod runs the new version; docs/deploy.md says how to roll back.';
  const steps: Step[] = [
    { name: 'preflight', take: () => preflight(terminal, { stage, app }, assembly), hint: again },
    { name: 'confirm', take: () => confirmProd(terminal, yes), hint: again },
    { name: 'deploy', take: deploy, hint: again },
    isProd ? { name: 'smoke test', take: check, hint: rollBack } : { name: 'acceptance', take: check, hint: again },
  ];
  return steps
    .filter(({ name }) => isProd || name !== 'confirm')
    .map((step) => ({ ...step, name: `${step.name} ${stage}` }));
};

const confirmProd = (terminal: Terminal, yes: boolean | undefined): Promise<void> =>
  confirm(terminal, 'Deploy prod?', yes).catch(({ hint }: CliError) => {
    throw new CliError('not_confirmed', 'prod was not deployed.', hint === undefined ? {} : { hint });
  });

/** Runs the CDK; what it prints goes straight on. */
const runCdk = async ({ env, stdout, stderr }: Terminal, ...args: string[]): Promise<void> => {
  const child = spawn(process.execPath, ['node_modules/aws-cdk/bin/cdk', ...args], {
    cwd: join(import.meta.dirname, '..'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(stdout, { end: false });
  child.stderr.pipe(stderr, { end: false });
  const [code] = await once(child, 'close');
  if (code !== 0) {
    throw new CliError('failed', `cdk ${args[0]} failed.`);
  }
};
