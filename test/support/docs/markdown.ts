import { readFileSync } from 'node:fs';
import { trackedFiles } from '../process/tracked-files.ts';

/** Every page of the documents. */
export const pages = trackedFiles(/\.md$/);

export const textOf = (file: string): string => readFileSync(file, 'utf8');

/** Returns a text without its fenced blocks. */
export const withoutBlocks = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```$/gm, '');

/** Returns a section of a text: what stands from its heading to the next one, of any level. */
export const sectionOf = (text: string, heading: string): string => {
  const sections = text.split(/^#+ /m);
  const found = sections.find((section) => section.startsWith(`${heading}\n`));
  if (found === undefined) {
    throw new Error(`There is no section "${heading}".`);
  }
  return found;
};

/** Returns the contents of the fenced blocks of one language, also of those in lists. */
export const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\`$`, 'gm'))].map(
    ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

/** Returns the anchor that GitHub gives to a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Returns the anchors of a file: those of its headings, and those that it sets itself. */
export const anchorsOf = (file: string): string[] => {
  const text = withoutBlocks(textOf(file));
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
  const set = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return [...headings, ...set];
};
