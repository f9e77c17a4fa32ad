import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Terminal, tell } from '../cli/terminal.ts';
import { type Bundles, bundleAgain } from './bundle-again.ts';

const project = join(import.meta.dirname, '../..');

/** Milliseconds between two looks at the sources, which see what editors and git do in any way. */
const pause = 250;

interface Served extends Bundles {
  /** Serves the bundles as they are now. */
  renew(): void;
}

/**
 * Remembers the sources as they are. Returns a function that begins to serve every change of
 * functions/ since then that compiles, and the code before one that does not.
 */
export const watchSources = (terminal: Terminal): ((served: Served) => void) => {
  const functions = watched(terminal, 'functions');
  const infra = watched(terminal, 'infra');
  const look = ({ renew, ...bundles }: Served): void => {
    if (infra.hasChanged()) {
      tell(terminal, 'infra/ has changed. Restart to serve the change.');
    }
    if (!functions.hasChanged()) {
      return;
    }
    try {
      bundleAgain(bundles);
      renew();
      tell(terminal, 'Now serving your changes in functions/.');
    } catch (error) {
      tell(
        terminal,
        `${(error as Error).message}\nStill serving the code from before this change.`,
      );
    }
  };
  return (served) => void setInterval(look, pause, served).unref();
};

/** Remembers a folder of the project as it is now, and tells whether it has changed since asked. */
const watched = (terminal: Terminal, folder: string) => {
  let problem = '';
  const look = (): string | undefined => {
    try {
      return sourcesIn(join(project, folder));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // A folder that is away for a moment, as during a git checkout, is looked at again.
      if (code !== 'ENOENT' && message !== problem) {
        problem = message;
        tell(terminal, `Changes of ${folder}/ are not seen: ${message}`);
      }
      return undefined;
    }
  };
  let seen = look();
  return {
    hasChanged: (): boolean => {
      const now = look() ?? seen;
      const hasChanged = now !== seen;
      seen = now;
      return hasChanged;
    },
  };
};

/** The name of a source, and not of what editors keep beside one: .#x.ts, #x.ts#, x.ts~, .x.ts.swp. */
const source = /(^|[\\/])[^.#\\/][^\\/]*\.(ts|json)$/;

/** Returns the path, time and size of every source: one put back may be older than it was. */
const sourcesIn = (directory: string): string =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => source.test(file))
    .map((file) => `${file} ${stateOf(join(directory, file))}`)
    .join('\n');

/** Returns the time and size of a source. A link may lead nowhere, or to itself. */
const stateOf = (path: string): string => {
  try {
    const { mtimeMs, size } = statSync(path);
    return `${mtimeMs} ${size}`;
  } catch (error) {
    return `${(error as NodeJS.ErrnoException).code}`;
  }
};
