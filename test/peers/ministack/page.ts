import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../support/process/tools.ts';

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
  const quoted = prose.match(/(?<=`)(npx|aws|keys|inventory)\s[^`]+(?=`)/g) ?? [];
  const whole = quoted.map((command) =>
    command.replaceAll(/\s+/g, ' ').replace(/^(?=keys|inventory)/, 'npx --no -- petstore '),
  );
  const isMention = (command: string) => typed.some((each) => each.startsWith(command));
  // A page may give a command in several sections.
  return [...new Set([...typed, ...whole.filter((command) => !isMention(command))])];
};

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');

/** Returns the section of a page that has this anchor, with the sections within it. */
const sectionOf = (text: string, anchor: string): string => {
  const sections = text.split(/^(?=#+ )/m);
  const levelOf = (section: string) => section.indexOf(' ');
  const first = sections.findIndex(
    (section) => anchorOf(section.split('\n')[0]?.replace(/^#+ /, '') ?? '') === anchor,
  );
  const level = levelOf(sections[first] ?? '');
  const next = sections.findIndex((section, at) => at > first && levelOf(section) <= level);
  return sections.slice(first, next === -1 ? undefined : next).join('');
};

/**
 * Reads a page of the documents, such as `docs/keys.md`, or a section of it, such as
 * `docs/deploy.md#tear-down`, so that a test runs the commands that it gives.
 */
export const pageOf = (page: string) => {
  const [file = '', anchor] = page.split('#');
  const whole = readFileSync(join(project, file), 'utf8');
  const text = anchor === undefined ? whole : sectionOf(whole, anchor);
  const commands = commandsIn(text);
  return {
    text,
    /** Returns the text of the page's first block in a language. */
    block: (language: string): string => {
      const [, block] =
        new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text) ?? [];
      if (block === undefined) {
        throw new Error(`${page} has no block of ${language}.`);
      }
      return block;
    },
    /**
     * Returns the page's command that contains this text.
     * @param values what to write instead of placeholders, such as `API_ID`
     */
    command: (containing: string, values: Record<string, string> = {}): string => {
      const [found, ...others] = commands.filter((command) => command.includes(containing));
      if (found === undefined || others.length > 0) {
        const which = found === undefined ? 'has no command' : 'has several commands';
        const list = commands.map((command) => `\n  ${command}`).join('');
        throw new Error(`${page} ${which} with "${containing}". Its commands:${list}`);
      }
      return Object.entries(values).reduce((command, [placeholder, value]) => {
        if (!command.includes(placeholder)) {
          throw new Error(`A command of ${page} has no ${placeholder}: ${found}`);
        }
        return command.replaceAll(placeholder, value);
      }, found);
    },
  };
};
