import { spawn } from 'node:child_process';
import { ended, project } from '../process/tools.ts';
import { blocksOf } from './markdown.ts';

/** A command of a `console` block, with the output that the page shows for it. */
export interface Step {
  command: string;
  shown: string;
}

/** Returns the commands of a page's `console` blocks in their order. */
export const stepsOf = (page: string): Step[] =>
  blocksOf(page, 'console').flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((typed) => {
        const [command = ''] = /^(?:.*\\\n)*.*\n/.exec(typed) ?? [];
        return { command: command.trimEnd(), shown: typed.slice(command.length).trimEnd() };
      }),
  );

/** Returns the single commands typed in a page's shell blocks. An argument from xargs is a 1. */
export const commandsOf = (page: string): string[] => {
  const typed = [
    ...stepsOf(page).map(({ command }) => command),
    ...blocksOf(page, 'sh').flatMap((block) => joinLines(block).split('\n')),
  ];
  return typed
    .flatMap((line) =>
      withoutComment(joinLines(line))
        .replace(/^\(/, '')
        .split(/ && | \| /),
    )
    .map((command) => command.trim().replace(/^xargs .*(?=npx )(.*)(?= <)/, '$1 1'))
    .filter(Boolean);
};

/** Returns a text in which each command has one line. */
export const joinLines = (text: string): string => text.replaceAll(/ *\\\n */g, ' ');
const withoutComment = (line: string): string => line.replaceAll(/(^| +)#.*/gm, '');

/** What differs from one run to the next: as a page may show it, and as it may really be. */
const placeholders = [
  { shown: 'petstore_staging_[0-9a-f]+…?', printed: 'petstore_staging_[0-9a-f]{64}' },
  { shown: 'http://127\\.0\\.0\\.1:\\d+', printed: 'http://127\\.0\\.0\\.1:\\d+' },
  { shown: '\\b[0-9a-f]{16}\\b', printed: '[0-9a-f]{16}' },
  { shown: '\\b[0-9a-f-]{36}\\b', printed: '[0-9a-f-]{36}' },
  { shown: '\\d\\d:\\d\\d:\\d\\d', printed: '\\d\\d:\\d\\d:\\d\\d' },
  { shown: '\\d+ ms', printed: '\\d+ ms' },
  { shown: '[\\d,]+/s', printed: '[\\d,]+/s' },
  { shown: '^…\\n', printed: '(?:[^]*\\n)?' },
  { shown: '…', printed: '[^]*' },
];

const anyPlaceholder = new RegExp(placeholders.map(({ shown }) => `(${shown})`).join('|'), 'gm');

/** Returns a pattern of what a page shows, in which keys, ids, times and … stand for any others. */
export const patternOf = (shown: string): RegExp => {
  let [pattern, end] = ['', 0];
  for (const match of shown.matchAll(anyPlaceholder)) {
    const index = match.slice(1).findIndex((group) => group !== undefined);
    pattern += RegExp.escape(shown.slice(end, match.index)) + placeholders[index]?.printed;
    end = match.index + match[0].length;
  }
  return new RegExp(pattern + RegExp.escape(shown.slice(end)));
};

/**
 * Returns an output as the page shows it, if it differs in nothing but keys, ids and times, and
 * otherwise as it is.
 */
export const asShown = (shown: string, printed: string): string =>
  new RegExp(`^(?:${patternOf(shown).source})$`).test(printed) ? shown : printed;

const marker = 'end of a command of the page';

/** On a screen, curl shows no progress. It does when its output goes elsewhere. */
const asOnScreen = 'curl() { command curl --no-progress-meter "$@"; }';

/**
 * Runs commands in one shell, which keeps their variables. Returns what each has printed, without
 * the space at the ends of its lines.
 */
export const runInShell = async (commands: string[], env: NodeJS.ProcessEnv): Promise<string[]> => {
  const marked = commands.map((command) => `${command}\necho '${marker}'`);
  const script = ['exec 2>&1', asOnScreen, ...marked].join('\n');
  const { output } = await ended(
    spawn('sh', ['-c', script], { cwd: project, env: { ...process.env, ...env } }),
  );
  const printed = output.replaceAll(/[ \t]+$/gm, '').split(marker);
  return printed.slice(0, -1).map((text) => text.replace(/^\n/, '').trimEnd());
};
