import { Option } from 'commander';
import { parsePath } from '../cli/arguments.ts';
import { CliError } from '../cli/cli-error.ts';
import { shellQuoted } from '../cli/command-line.ts';
import { PetstoreCommand } from '../cli/petstore-command.ts';
import { print, type Terminal, untilInterrupted } from '../cli/terminal.ts';
import { stageNames } from '../stage/stage.ts';

interface PreflightOptions {
  stage: string;
  /** The cloud assembly, as the operator named it. Without it, one is synthesized. */
  app?: string | undefined;
  json?: boolean;
}

export const preflightCommand = (terminal: Terminal): PetstoreCommand =>
  new PetstoreCommand('preflight')
    .examples('preflight --stage staging', 'preflight --stage prod --app cdk.out --json')
    .description('check what can be checked before a deployment; changes nothing')
    .addOption(
      new Option('--stage <stage>', 'the stage to deploy')
        .choices(stageNames)
        .makeOptionMandatory(),
    )
    .option('--app <dir>', 'the cloud assembly to deploy (default: synthesizes one)', parsePath)
    .addHelpText('after', '\nThe exit code is 8 if a check says stop.')
    .action((options: PreflightOptions) => preflight(terminal, options));

/** Returns the option that names an assembly, for a command that operators can paste. */
export const appOption = (app: string | undefined): string =>
  app === undefined ? '' : ` --app ${shellQuoted(app)}`;

/**
 * Prints what the checks find, and throws if one of them says stop.
 * @param assembly the directory to read, unless it is the one that the operator named
 */
export const preflight = async (
  terminal: Terminal,
  options: PreflightOptions,
  assembly = options.app,
) => {
  const { stage, app } = options;
  // Imported here, because loading the SDK's clients would slow every other command down by half a
  // second.
  const { runChecks } = await import('./checks.ts');
  const checking = runChecks({ stageName: stage, assembly, assemblyOption: appOption(app) });
  const findings = await untilInterrupted(terminal, checking);
  const lines = findings.map(
    ({ check, outcome, message }) => `${outcome.padEnd(7)}  ${check}: ${message}`,
  );
  const stops = findings.filter(({ outcome }) => outcome === 'stop').length;
  if (stops === 0) {
    lines.push(`${stage} can be deployed.`);
  }
  print(terminal, options, findings, lines.join('\n'));
  if (stops > 0) {
    const checks = stops === 1 ? '1 check says' : `${stops} checks say`;
    throw new CliError('failed', `${stage} must not be deployed: ${checks} stop.`);
  }
};
