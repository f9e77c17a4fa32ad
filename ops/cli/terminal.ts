import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { toJson } from '../../functions/shared/json.ts';
import { CliError } from './cli-error.ts';

type Output = Writable & { isTTY?: boolean };

/** What a command talks through: the streams and the environment of its process, or those of a test. */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
  /**
   * Aborted by the first Ctrl-C or SIGTERM; the second ends the process. Only a command that reads it can end in
   * order: any other is ended by the first.
   */
  readonly signal: AbortSignal;
}

/** What work returns, unless Ctrl-C comes first: then the command ends in order, and removes its temporary files. */
export const untilInterrupted = <Result>({ signal }: Terminal, work: Promise<Result>): Promise<Result> =>
  Promise.race([work, once(signal, 'abort').then(() => Promise.reject(signal.reason))]);

/** Prints what a command returns: with `--json` one JSON value, else a text. */
export const print = ({ stdout }: Terminal, { json }: { json?: boolean }, value: unknown, text: string): void => {
  stdout.write(`${json ? toJson(value) : text}\n`);
};

const showingBar = new WeakSet<Output>();

/** Prints a line on standard error about what a command does: in place of a progress bar, or below it after a '\n'. */
export const tell = ({ stderr }: Terminal, line: string, endOfBar = '\r\x1b[K'): void => {
  stderr.write(`${showingBar.delete(stderr) ? endOfBar : ''}${line}\n`);
};

/** Shows how far a work has come, its rate and the time left: a bar on a terminal, else a line every five seconds. */
export const showProgress = (terminal: Terminal, work: string) => {
  const { stderr } = terminal;
  const pause = stderr.isTTY ? 100 : 5_000;
  const startedAt = performance.now();
  let shownAt = startedAt;
  let count = 0;

  const progress = (fraction?: number): string => {
    const seconds = (performance.now() - startedAt) / 1000;
    const rate = Math.round(count / seconds).toLocaleString('en');
    const soFar = `${work} ${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}, ${rate}/s`;
    if (!fraction) {
      return soFar;
    }
    const bar = stderr.isTTY ? `[${'#'.repeat(Math.floor(fraction * 20)).padEnd(20, '-')}] ` : '';
    const left = (seconds * (1 - fraction)) / fraction;
    const duration = left < 100 ? `${Math.ceil(left)} s` : `${Math.ceil(left / 60)} min`;
    return `${bar}${Math.floor(fraction * 100)} %, ${soFar}, ${duration} left`;
  };
  return {
    /** `fraction` is of all there is to do, from 0 to 1, if that is known. */
    update: (newCount: number, fraction?: number): void => {
      count = newCount;
      if (performance.now() - shownAt >= pause) {
        shownAt = performance.now();
        if (stderr.isTTY) {
          stderr.write(`\r${progress(fraction)}\x1b[K`);
          showingBar.add(stderr);
        } else {
          tell(terminal, progress(fraction));
        }
      }
    },
    end: (): void => {
      tell(terminal, progress());
    },
  };
};

export const hasColours = ({ env }: Terminal, { isTTY }: Output): boolean => Boolean(isTTY) && !env.NO_COLOR;

/** Asks on the terminal, unless there was a `--yes`, and throws unless the reply is yes. */
export const confirm = async (terminal: Terminal, question: string, yes: boolean | undefined): Promise<void> => {
  if (yes) {
    return;
  }
  if (!terminal.stdin.isTTY) {
    throw new CliError('not_confirmed', question, { hint: 'There is no terminal to ask on. Confirm with --yes.' });
  }
  if (!/^y(es)?$/i.test(await ask(terminal, `${question} [y/N] `))) {
    throw new CliError('not_confirmed', 'Nothing was changed.');
  }
};

/** What is typed on the terminal in reply to a prompt; nothing after Ctrl-D, an error after Ctrl-C. */
const ask = async ({ stdin, stderr }: Terminal, prompt: string, echo: Writable = stderr): Promise<string> => {
  const lines = createInterface({ input: stdin, output: echo, terminal: true });
  const interrupted = once(lines, 'SIGINT').then(() => {
    throw new CliError('interrupted', 'Interrupted. Nothing was changed.');
  });
  const closed = once(lines, 'close').then(() => '');
  let end = '\n';
  const replied = lines.question(prompt).then((reply) => {
    // Enter has ended the line.
    end = '';
    return reply;
  });
  return Promise.race([replied.catch(() => ''), interrupted, closed]).finally(() => {
    echo.write(end);
    lines.close();
  });
};

/** Reads a secret of up to 4,096 characters: from the terminal, where it is not shown, or else from a pipe or a file. */
export const readSecret = async (terminal: Terminal, prompt: string): Promise<string> => {
  const { stdin, stderr } = terminal;
  if (stdin.isTTY) {
    const typed = ask(terminal, '', new Writable({ write: (_chunk, _encoding, done) => done() }));
    // Not before the terminal has stopped showing what is typed.
    stderr.write(prompt);
    return (await typed.finally(() => stderr.write('\n'))).trim();
  }
  let text = '';
  for await (const chunk of stdin) {
    text += chunk;
    if (text.length > 4_096) {
      break;
    }
  }
  return text.trim();
};
