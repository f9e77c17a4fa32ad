import { readFileSync } from 'node:fs';
import { trackedFiles } from '../process/tracked-files.ts';

/** Every page of the documents. */
export const pages = trackedFiles(/\.md$/);

export const textOf = (file: string): string => readFileSync(file, 'utf8');

/** Returns a text without its fenced blocks. */
export const withoutBlocks = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```$/gm, '');

/** Returns the contents of the fenced blocks of one language. */
export const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );

/** A heading of the second level, with what follows it. */
export interface Section {
  title: string;
  text: string;
}

/** Returns the sections of a page. A heading within a block is none. */
export const sectionsOf = (page: string): Section[] =>
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = ''] = section.split('\n', 1);
      return { title, text: section.slice(title.length) };
    });

/** Returns the anchor that GitHub gives to a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Returns the anchors of a file's headings. */
export const anchorsOf = (file: string): string[] =>
  [...withoutBlocks(textOf(file)).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    anchorOf(heading),
  );
