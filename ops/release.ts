import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { synthesizeAnew } from '../infra/assembly/synthesize.ts';
import { acceptance } from './acceptance.ts';
import { parsePath } from './cli/arguments.ts';
import { CliError } from './cli/cli-error.ts';
import { npxPetstore } from './cli/command-line.ts';
import { PetstoreCommand } from './cli/petstore-command.ts';
import { confirm } from './cli/questions.ts';
import { print, type Terminal, untilInterrupted } from './cli/terminal.ts';
import { toCliError } from './cli/to-cli-error.ts';
import { appOption, preflight } from './preflight/preflight.ts';

interface ReleaseOptions {
  stage?: string;
  app?: string;
  yes?: boolean;
  json?: boolean;
}

export const releaseCommand = (terminal: Terminal): PetstoreCommand =>
  new PetstoreCommand('release')
    .examples('release', 'release --app cdk.out --stage prod --yes')
    .description('release the service: staging first, and prod if staging keeps the contract')
    .addOption(
      new Option('--stage <stage>', 'take only the steps of this stage').choices([
        'staging',
        'prod',
      ]),
    )
    .option('--app <dir>', 'release this cloud assembly (default: synthesizes one)', parsePath)
    .option('--yes', 'deploy prod without asking')
    .addHelpText(
      'after',
      '\nEnvironment: AWS credentials and region; PETSTORE_STAGING_API_KEY, PETSTORE_PROD_API_KEY.',
    )
    .action((options: ReleaseOptions) => release(terminal, options));

const release = async (terminal: Terminal, options: ReleaseOptions): Promise<void> => {
  // Imported here, because loading the SDK's clients would slow every other command down by half a
  // second.
  const { commandsBefore } = await import('./preflight/before-release.ts');
  // A step is passed only the key that it needs. With --json, standard output is for the result
  // alone.
  const { PETSTORE_STAGING_API_KEY: staging, PETSTORE_PROD_API_KEY: prod, ...env } = terminal.env;
  const stdout = options.json ? terminal.stderr : terminal.stdout;
  const below: Terminal = { ...terminal, env, stdout };
  const stages = Object.entries({ staging, prod }).filter(
    ([stage]) => (options.stage ?? stage) === stage,
  );
  // What is deployed is made from the packages as they are now, which an assembly that was kept
  // need not be.
  const assembly = resolve(
    options.app ?? (await untilInterrupted(terminal, synthesizeAnew('*', env))),
  );

  const app = appOption(options.app);
  const again = (stage = options.stage) =>
    `${npxPetstore} release${stage ? ` --stage ${stage}` : ''}${app}`;
  const missing = Promise.all(
    stages.map(([stage, apiKey]) => commandsBefore(stage, assembly, apiKey, app)),
  );
  const commands = (await untilInterrupted(terminal, missing)).flat();
  if (commands.length > 0) {
    const message =
      'The checks after a deployment need an API key and, in staging, stock. Nothing was deployed.';
    throw new CliError('unavailable', message, {
      hint: ['Run these first:', ...commands, again()].join('\n'),
    });
  }

  stdout.write(
    'Each stage takes a few minutes, and as long as its deploymentConfig in infra/app.ts shifts traffic.\n',
  );

  const directory = mkdtempSync(join(tmpdir(), 'petstore-release-'));
  const steps = stages.flatMap(([stage, apiKey]): Step[] => {
    const isProd = stage === 'prod';
    const hint = `To continue: ${again(isProd ? stage : options.stage)}`;
    const outputs = join(directory, `${stage}.json`);
    const check = async () =>
      acceptance(below, { baseUrl: baseUrlIn(outputs), apiKey, readOnly: isProd });
    const before: Step = [
      `preflight ${stage}`,
      hint,
      () => preflight(below, { stage, app: options.app }, assembly),
    ];
    const main: Step = [`deploy ${stage}`, hint, () => deploy(below, stage, assembly, outputs)];
    const rollBack = 'prod runs the new version; docs/deploy.md says how to roll back.';
    return isProd
      ? [
          before,
          ['confirm prod', hint, () => confirmProd(below, options)],
          main,
          ['smoke test prod', rollBack, check],
        ]
      : [before, main, ['acceptance staging', hint, check]];
  });
  const names = steps.map(([name]) => name);
  let done = 0;
  try {
    for (const [name, hint, take] of steps) {
      stdout.write(`\nrelease: ${name} (${done + 1} of ${steps.length})\n`);
      // After Ctrl-C, a step fails at once, as cdk does, or runs to its end, as the suite does. No
      // other follows.
      await take().catch((error) => {
        const { code, message, details, cause } = toCliError(error);
        const hints = [details.hint, hint].filter(Boolean).join('\n');
        const reason = terminal.signal.aborted ? 'interrupted' : code;
        throw new CliError(reason, `${name}: ${message}`, { hint: hints, cause });
      });
      done += 1;
      if (terminal.signal.aborted) {
        throw new CliError('interrupted', 'Interrupted.', { hint });
      }
    }
  } finally {
    rmSync(directory, { recursive: true });
    const result = { done: names.slice(0, done), notDone: names.slice(done) };
    const [before, after] = [result.done, result.notDone].map(
      (some) => some.join(', ') || 'nothing',
    );
    print(terminal, options, result, `\nrelease: done: ${before}; not done: ${after}.`);
  }
};

type Step = [name: string, hint: string, take: () => Promise<void>];

const confirmProd = (terminal: Terminal, { yes }: ReleaseOptions): Promise<void> =>
  confirm(terminal, {
    question: 'Deploy prod?',
    isConfirmed: yes,
    signal: terminal.signal,
  }).catch((error: CliError) => {
    error.message = 'prod was not deployed.';
    throw error;
  });

const deploy = async (
  { env, stdout, stderr }: Terminal,
  stage: string,
  assembly: string,
  outputs: string,
) => {
  // cdk need not ask about permissions, because the tests assert every role and policy of a stack.
  const options = [
    '--app',
    assembly,
    '--outputs-file',
    outputs,
    '--require-approval',
    'never',
    '--ci',
  ];
  const child = spawn(
    process.execPath,
    ['node_modules/aws-cdk/bin/cdk', 'deploy', `${stage}/*`, ...options],
    {
      cwd: join(import.meta.dirname, '..'),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  // Unlike pipe(), this goes on reading after our own reader has left; otherwise cdk would block.
  child.stdout.on('data', (chunk) => stdout.write(chunk));
  child.stderr.on('data', (chunk) => stderr.write(chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) {
    throw new CliError('failed', 'cdk deploy failed.');
  }
};

const baseUrlIn = (outputs: string): string => {
  const [stack] = Object.values(JSON.parse(readFileSync(outputs, 'utf8'))) as { BaseUrl: string }[];
  return stack?.BaseUrl ?? '';
};
