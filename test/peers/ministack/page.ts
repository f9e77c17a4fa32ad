import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../support/process/tools.ts';

/** Returns the text below a heading, to the next heading of the same level or a higher one. */
const textBelow = (page: string, heading: string): string => {
  const lines = readFileSync(join(project, page), 'utf8').split('\n');
  const start = lines.findIndex((line) => /^##+ /.test(line) && line.endsWith(`# ${heading}`));
  if (start === -1) {
    throw new Error(`${page} has no heading "${heading}", below which a test finds commands.`);
  }
  const level = lines[start]?.indexOf(' ') ?? 0;
  const isEnd = (line: string) => /^##+ /.test(line) && line.indexOf(' ') <= level;
  const length = lines.slice(start + 1).findIndex(isEnd);
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join('\n');
};

/** Returns the commands of shell blocks and of the prose. */
const commandsIn = (text: string): string[] => {
  const typed = [...text.matchAll(/^```(sh|console)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, language, block = '']) => {
      const lines = block.replaceAll(/\\\n */g, '').split('\n');
      // Console blocks also show output.
      const prompt = language === 'sh' ? '' : '$ ';
      return lines
        .filter((line) => line !== '' && line.startsWith(prompt))
        .map((line) => line.slice(prompt.length));
    },
  );
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  // Prose names commands of petstore without the program.
  const quoted = prose.match(/(?<=`)(npx|aws|keys|inventory) [^`]+(?=`)/g) ?? [];
  const whole = quoted.map((command) =>
    command.replaceAll(/\s+/g, ' ').replace(/^(?=keys|inventory)/, 'npx --no -- petstore '),
  );
  const isMention = (command: string) => typed.some((each) => each.startsWith(command));
  return [...typed, ...whole.filter((command) => !isMention(command))];
};

/** A section of a document, whose commands a test runs. */
export type Section = ReturnType<typeof sectionOf>;

/**
 * Finds a section of a document by its heading, so that a test runs the commands that the page
 * gives. If the page changes, the errors say which command a test misses and which it does not run.
 */
export const sectionOf = (page: string, heading: string) => {
  const name = `"${heading}" in ${page}`;
  const text = textBelow(page, heading);
  const commands = commandsIn(text);
  const run = new Set<string>();
  return {
    name,
    text,
    /** Returns the text of the section's first block in a language. */
    block: (language: string): string => {
      const [, block] =
        new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text) ?? [];
      if (block === undefined) {
        throw new Error(`The section ${name} has no block of ${language}.`);
      }
      return block;
    },
    /**
     * Returns the section's command that contains this text.
     * @param values what to write instead of placeholders, such as `API_ID`
     */
    command: (containing: string, values: Record<string, string> = {}): string => {
      const [found, ...others] = commands.filter((command) => command.includes(containing));
      if (found === undefined || others.length > 0) {
        const which = found === undefined ? 'has no command' : 'has several commands';
        const list = commands.map((command) => `\n  ${command}`).join('');
        throw new Error(`The section ${name} ${which} with "${containing}". Its commands:${list}`);
      }
      run.add(found);
      return Object.entries(values).reduce((command, [placeholder, value]) => {
        if (!command.includes(placeholder)) {
          throw new Error(`A command of the section ${name} has no ${placeholder}: ${found}`);
        }
        return command.replaceAll(placeholder, value);
      }, found);
    },
    /** Returns the commands that no test has asked for. */
    untested: (): string[] => commands.filter((command) => !run.has(command)),
  };
};
