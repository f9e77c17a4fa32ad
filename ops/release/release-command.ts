import { Option } from 'commander';
import { parsePath } from '../cli/arguments.ts';
import { pages } from '../cli/pages.ts';
import { PetstoreCommand } from '../cli/petstore-command.ts';
import type { Terminal } from '../cli/terminal.ts';
import { stageNames } from '../stage/stage.ts';
import type { ReleaseOptions } from './release.ts';

export const releaseCommand = (terminal: Terminal): PetstoreCommand =>
  new PetstoreCommand('release')
    .description('release the service: staging first, and prod if staging keeps the contract')
    .addOption(new Option('--stage <stage>', 'release to this stage alone').choices(stageNames))
    .option('--app <dir>', 'release this cloud assembly (default: synthesizes one)', parsePath)
    .option('--yes', 'deploy prod without asking')
    .examples('release', 'release --stage prod --app cdk.out --yes')
    .environment(
      'AWS credentials and region; PETSTORE_STAGING_API_KEY and PETSTORE_PROD_API_KEY, with which ' +
        'the stages are checked',
    )
    .permissions('sts:AssumeRole on the roles that cdk bootstrap made')
    .page(pages.release)
    .action(async (options: ReleaseOptions) => {
      // Imported here, because loading the SDK and the CDK would slow every other command down by
      // half a second.
      const { release } = await import('./release.ts');
      await release(terminal, options);
    });
