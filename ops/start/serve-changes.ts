import { rebundledAssembly } from '../../infra/assembly/rebundled-assembly.ts';
import { synthesize } from '../../infra/assembly/synthesize.ts';
import { templateSources } from '../../infra/assembly/template-sources.ts';
import { reportError } from '../cli/report-error.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { changedSources, readSources, type Sources, watchSources } from './watched-sources.ts';

interface ServeChangesProps {
  terminal: Terminal;
  stageName: string;
  /** The directory of the assembly that is served. */
  assembly: string;
  /** The sources as they were before that assembly was made. */
  sources: Sources;
  /** Serves another assembly. */
  reload(assembly: string): Promise<void>;
}

/**
 * Serves every change of functions/ and infra/ that compiles, and says so. What does not is
 * reported, and the code before it is served further.
 */
export const serveChanges = async (props: ServeChangesProps): Promise<{ close(): void }> => {
  const { terminal, stageName, reload } = props;
  /** What is served. */
  let { assembly, sources } = props;
  let ofTemplate = await templateSources();

  const serve = async (next: Sources): Promise<void> => {
    const changed = changedSources(sources, next);
    const isTemplateChanged = changed.some(
      (path) => path.startsWith('infra/') || ofTemplate.has(path),
    );
    const startedAt = performance.now();
    const changedAssembly = isTemplateChanged
      ? await synthesize(stageName)
      : await rebundledAssembly({ assembly, forDebuggers: false });
    await reload(changedAssembly);
    [assembly, sources] = [changedAssembly, next];
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    tell(terminal, `Serving ${changed.join(', ') || 'the same'} after ${seconds} s.`);
    if (isTemplateChanged) {
      ofTemplate = await templateSources();
    }
  };
  const report = (error: unknown): void => {
    reportError(terminal, error, { json: false, verbose: false });
    tell(terminal, 'The code before this change is served further.');
  };

  let tried = sources;
  let isBusy = false;
  /** Serves what has changed since the last attempt, until nothing has changed meanwhile. */
  const update = async (): Promise<void> => {
    if (isBusy) {
      return;
    }
    isBusy = true;
    try {
      for (let now = readSources(); isChanged(tried, now); now = readSources()) {
        tried = now;
        await serve(now).catch(report);
      }
    } catch {
      // A directory is being replaced, such as by git. Its watcher calls back once it is there, and
      // what has failed for lack of it is tried again.
      tried = sources;
    } finally {
      isBusy = false;
    }
  };
  const watching = watchSources(() => void update());
  // For what was changed while the first assembly was made.
  void update();
  return watching;
};

const isChanged = (before: Sources, after: Sources): boolean =>
  changedSources(before, after).length > 0;
