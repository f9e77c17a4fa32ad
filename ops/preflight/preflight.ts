import { Command, Option } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { print, type Terminal, untilInterrupted } from '../cli/terminal.ts';

interface PreflightOptions {
  stage: string;
  /** A cloud assembly, as the operator named it; without it, one is synthesized. */
  app?: string | undefined;
  json?: boolean | undefined;
}

export const preflightCommand = (terminal: Terminal): Command =>
  new Command('preflight')
    .description('check what can be checked before a deployment; changes nothing')
    .addOption(new Option('--stage <stage>', 'the stage to deploy').choices(['staging', 'prod']).makeOptionMandatory())
    .option('--app <dir>', 'the cloud assembly to deploy (default: synthesizes one)')
    .option('--json', 'print the findings as JSON')
    .option('--verbose', 'show where an error comes from')
    .addHelpText(
      'after',
      '\nExit code 8 if a finding says stop.\n\nExamples:\n  npx petstore preflight --stage staging' +
        '\n  npx petstore preflight --stage prod --app cdk.out --json',
    )
    .action((options: PreflightOptions) => preflight(terminal, options));

/** The option for a command that is to be pasted. */
export const appOption = (app: string | undefined): string =>
  app === undefined ? '' : ` --app ${/^[\w./-]+$/.test(app) ? app : `'${app}'`}`;

/**
 * Prints what the checks find, a line each.
 * @throws CliError if one of them says stop
 */
export const preflight = async (
  terminal: Terminal,
  { stage, app, json = false }: PreflightOptions,
  assembly = app,
): Promise<void> => {
  // The SDK's clients take half a second, which the other commands need not spend.
  const { runChecks } = await import('./checks.ts');
  const findings = await untilInterrupted(terminal, runChecks(stage, assembly, appOption(app)));
  const lines = findings.map(({ check, outcome, message }) => `${outcome.padEnd(7)}  ${check}: ${message}`);
  const stops = findings.filter(({ outcome }) => outcome === 'stop').length;
  print(terminal, { json }, findings, [...lines, ...(stops > 0 ? [] : [`${stage} can be deployed.`])].join('\n'));
  if (stops > 0) {
    const checks = stops === 1 ? '1 check says' : `${stops} checks say`;
    throw new CliError('failed', `${stage} must not be deployed: ${checks} stop.`);
  }
};
