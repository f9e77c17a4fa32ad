import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const help = `Releases the service: staging first, and prod if staging keeps the contract.

Usage: npm run release -- [options]

  --yes          deploy prod without asking
  --app DIR      release this cloud assembly (default: synthesizes one into cdk.out)
  --stage STAGE  only the steps of staging, or only those of prod
  --help         show this text

Environment: AWS credentials and region; PETSTORE_STAGING_API_KEY, PETSTORE_PROD_API_KEY.`;

/** One line to standard error, and the exit code of a release that is not. */
const refuse = (reason: string): never => {
  console.error(`release: ${reason}`);
  process.exit(1);
};

const readOptions = () => {
  try {
    const { values } = parseArgs({
      options: {
        yes: { type: 'boolean' },
        app: { type: 'string' },
        stage: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    return refuse(`${(error as Error).message.split('. ')[0]}. See npm run release -- --help.`);
  }
};

const { yes, app, stage: onlyStage, help: wantsHelp } = readOptions();
if (wantsHelp) {
  console.log(help);
  process.exit(0);
}
if (onlyStage !== undefined && onlyStage !== 'staging' && onlyStage !== 'prod') {
  refuse(`--stage must be staging or prod, not "${onlyStage}".`);
}
const stages = ['staging', 'prod'].filter((stage) => (onlyStage ?? stage) === stage);
const keyOf = (stage: string) => `PETSTORE_${stage.toUpperCase()}_API_KEY`;
for (const stage of stages) {
  if (!process.env[keyOf(stage)]) {
    refuse(`${keyOf(stage)} is not set: the checks after the deployment need an API key of ${stage}.`);
  }
}
if (app !== undefined && !existsSync(join(app, 'manifest.json'))) {
  refuse(`${app} is no cloud assembly. npx cdk synth writes one.`);
}

const project = join(import.meta.dirname, '..');
const assembly = resolve(app ?? join(project, 'cdk.out'));
const cdk = 'node_modules/aws-cdk/bin/cdk';

/** Runs a command of this project; what it prints goes straight on. */
const run = async (args: string[], environment: Record<string, string | undefined> = {}): Promise<boolean> => {
  const { PETSTORE_STAGING_API_KEY, PETSTORE_PROD_API_KEY, ...inherited } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: project,
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'close');
  return code === 0;
};

const confirm = async (): Promise<boolean> => {
  if (yes) {
    return true;
  }
  process.stdout.write('Deploy prod? Type prod to do so: ');
  const input = createInterface({ input: process.stdin });
  const answer = await Promise.race([once(input, 'line'), once(input, 'close')]);
  input.close();
  return answer[0] === 'prod';
};

const outputsDirectory = mkdtempSync(join(tmpdir(), 'petstore-release-'));
process.once('exit', () => rmSync(outputsDirectory, { recursive: true }));
const outputsFile = (stage: string) => join(outputsDirectory, `${stage}.json`);

const baseUrlOf = (stage: string): string => {
  const [outputs] = Object.values(JSON.parse(readFileSync(outputsFile(stage), 'utf8'))) as { BaseUrl: string }[];
  return outputs?.BaseUrl ?? '';
};

interface Step {
  name: string;
  /** Whether the release may go on. */
  take: () => Promise<boolean>;
  /** What the operator has to know if it may not. */
  otherwise?: string;
}

const stepsOf = (stage: string): Step[] => {
  const preflight = () => run(['ops/preflight/preflight.ts', '--stage', stage, '--app', assembly]);
  const deploy = () =>
    run([
      ...[cdk, 'deploy', `${stage}/*`, '--app', assembly, '--outputs-file', outputsFile(stage)],
      // What the CDK would ask about, the tests assert and the preflight shows.
      ...['--require-approval', 'never', '--ci'],
    ]);
  const check = (...options: string[]) =>
    run(['ops/acceptance.ts', '--base-url', baseUrlOf(stage), ...options], {
      ACCEPTANCE_API_KEY: process.env[keyOf(stage)],
    });
  const otherwise = ' prod runs the new version; README.md says how to roll back.';
  return [
    { name: `preflight ${stage}`, take: preflight },
    ...(stage === 'prod' ? [{ name: 'confirm prod', take: confirm }] : []),
    { name: `deploy ${stage}`, take: deploy },
    stage === 'prod'
      ? { name: 'smoke test prod', take: () => check('--read-only'), otherwise }
      : { name: `acceptance ${stage}`, take: () => check() },
  ];
};

const synth: Step = { name: 'synth', take: () => run([cdk, 'synth', '--quiet', '--output', assembly]) };
const steps = [...(app === undefined ? [synth] : []), ...stages.flatMap(stepsOf)];
const names = steps.map(({ name }) => name);

// A step ends by itself, or at once with the signal that it gets too; then nothing follows.
let interrupted = false;
process.on('SIGINT', () => {
  interrupted = true;
});

for (const [index, { name, take, otherwise = '' }] of steps.entries()) {
  console.log(`\nrelease: ${name} (${index + 1} of ${steps.length})`);
  if (!(await take()) || interrupted) {
    const done = names.slice(0, index).join(', ') || 'nothing';
    const open = names.slice(index + 1).join(', ') || 'nothing';
    refuse(`stopped at "${name}". Done: ${done}. Not done: ${open}.${otherwise}`);
  }
}
console.log(`\nrelease: done: ${names.join(', ')}.`);
process.exit(0);
