import { parseArgs } from 'node:util';
import { synthesize } from '../../infra/assembly/synthesize.ts';
import { findTarget } from './account.ts';
import { readSynthesizedStack, type SynthesizedStack } from './assembly.ts';
import { checkBootstrap } from './bootstrap.ts';
import { checkChanges } from './changes.ts';
import { type Finding, reasonOf } from './finding.ts';
import { checkApiGateway, checkLambda, checkResourceCount } from './quotas.ts';

const help = `Checks what can be checked before a deployment. Changes nothing.

Usage: npm run preflight -- --stage STAGE [options]

  --stage STAGE  staging or prod
  --app DIR      the cloud assembly to be deployed (default: synthesizes one)
  --json         print the findings as JSON
  --help         show this text

Exit code 1 if a finding says stop.`;

/** One line to standard error, and the exit code of a deployment that must not be. */
const refuse = (reason: string): never => {
  console.error(`preflight: ${reason}`);
  process.exit(1);
};

const readOptions = () => {
  try {
    const { values } = parseArgs({
      options: {
        stage: { type: 'string' },
        app: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    return refuse(`${(error as Error).message.split('. ')[0]}. See npm run preflight -- --help.`);
  }
};

const { stage, app, json, help: wantsHelp } = readOptions();
if (wantsHelp) {
  console.log(help);
  process.exit(0);
}
if (stage !== 'staging' && stage !== 'prod') {
  refuse(`--stage must be staging or prod${stage === undefined ? '' : `, not "${stage}"`}.`);
}

// By exiting, it removes the assembly that it has made.
process.once('SIGINT', () => process.exit(130));

const readStack = async (stageName: string): Promise<SynthesizedStack> => {
  try {
    return readSynthesizedStack(app ?? (await synthesize(stageName)), stageName);
  } catch (error) {
    return refuse((error as Error).message);
  }
};

/** A check that AWS does not answer says so; what it guards against could then not be seen. */
const attempt = async (check: string, outcome: Finding['outcome'], findings: Promise<Finding[]>): Promise<Finding[]> =>
  findings.catch((error) => [{ check, outcome, message: `Could not be checked. ${reasonOf(error)}` }]);

const stack = await readStack(stage as string);
const { findings, target } = await findTarget(stack);
if (target) {
  const others = [
    attempt('bootstrap', 'warning', checkBootstrap(target, stack)),
    attempt('API Gateway account', 'warning', checkApiGateway(target, stack)),
    attempt('Lambda concurrency', 'warning', checkLambda(target, stack)),
    attempt('changes', 'stop', checkChanges(target, stack)),
  ];
  findings.push(...(await Promise.all(others)).flat());
}
findings.push(checkResourceCount(stack));

const stops = findings.filter(({ outcome }) => outcome === 'stop').length;
if (json) {
  console.log(JSON.stringify(findings, null, 2));
} else {
  for (const { check, outcome, message } of findings) {
    console.log(`${outcome.padEnd(7)}  ${check}: ${message}`);
  }
  console.log(stops > 0 ? `preflight: ${stage} must not be deployed.` : `preflight: ${stage} can be deployed.`);
}
process.exitCode = stops > 0 ? 1 : 0;
