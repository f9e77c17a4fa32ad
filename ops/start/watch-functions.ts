import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readTemplate } from '../../infra/assembly/template.ts';
import { bundle } from '../../infra/lambda/bundling.ts';
import { authorizer, operations } from '../../infra/service/operations.ts';
import { type Terminal, tell } from '../cli/terminal.ts';

const functions = join(import.meta.dirname, '../../functions');

/** Milliseconds between two looks at functions/, which see what editors and git do in any way. */
const pause = 250;

interface Bundles {
  /** The directory of the cloud assembly. */
  assembly: string;
  stageName: string;
  forDebuggers?: boolean;
}

/**
 * Replaces the bundles of an assembly by those of functions/ as it is now.
 * @throws Error with what esbuild says if a source does not compile
 */
export const bundleAgain = ({ assembly, stageName, forDebuggers = false }: Bundles): void => {
  const { resources, assetDirectory } = readTemplate(assembly, stageName);
  for (const [id, { Code }] of resources<{ Code: { S3Key: string } }>('AWS::Lambda::Function')) {
    const spec = [authorizer, ...operations].find(({ name }) => id.startsWith(name));
    bundle(spec?.entryPoint ?? id, assetDirectory(Code.S3Key), { forDebuggers });
  }
};

interface WatchProps extends Bundles {
  /** Serves the bundles as they are now. */
  renew(): void;
}

/** Serves every change of functions/ that compiles; the code before one that does not. */
export const watchFunctions = (terminal: Terminal, { renew, ...bundles }: WatchProps): void => {
  let seen = newestIn(functions);
  const look = (): void => {
    const newest = newestIn(functions);
    if (newest === seen) {
      return;
    }
    seen = newest;
    try {
      bundleAgain(bundles);
      renew();
      tell(terminal, 'Serving functions/ as it is now.');
    } catch (error) {
      tell(terminal, `${(error as Error).message}\nThe code before this change is served further.`);
    }
  };
  setInterval(look, pause).unref();
};

/** Returns what differs if a file was changed, added or removed: the last time, and the number. */
const newestIn = (directory: string): string => {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const times = files.map(
    (file) => statSync(join(directory, file), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return `${Math.max(...times)} ${files.length}`;
};
