import { join } from 'node:path';
import { context, type Plugin } from 'esbuild';
import { optionsFor } from '../../infra/lambda/bundling.ts';
import { functionSpecs } from '../../infra/service/operations.ts';
import { readTemplate } from '../../local/assembly/template.ts';

interface Served {
  /** The directory of the cloud assembly. */
  assembly: string;
  stageName: string;
  /** Serves the bundles as they are now. */
  renew(): void;
}

/**
 * Bundles functions/ anew whenever something is saved that a bundle has in it, and serves it if it
 * compiles, until the result is disposed of. esbuild itself says what it does.
 */
export const watchFunctions = async ({
  assembly,
  stageName,
  renew,
}: Served): Promise<AsyncDisposable> => {
  await using started = new AsyncDisposableStack();
  const { resources, assetDirectory } = readTemplate(assembly, stageName);
  const serve: Plugin = {
    name: 'serve',
    setup: (build) => build.onEnd(({ errors }) => void (errors.length === 0 && renew())),
  };
  const functions = resources<{ Code: { S3Key: string } }>('AWS::Lambda::Function');
  for (const [id, { Code }] of functions) {
    const { entryPoint = '' } = functionSpecs.find(({ name }) => id.startsWith(name)) ?? {};
    const bundle = await context({
      ...optionsFor(entryPoint),
      outfile: join(assetDirectory(Code.S3Key), 'index.js'),
      logLevel: 'info',
      plugins: [serve],
    });
    started.defer(() => bundle.dispose());
    await bundle.watch();
  }
  return started.move();
};
