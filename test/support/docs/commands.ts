import { blocksOf } from './markdown.ts';

/**
 * Returns the commands of a page's shell blocks, each alone: without what joins them, and without
 * comments.
 */
export const commandsOf = (page: string): string[] =>
  blocksOf(page, 'sh')
    .flatMap((block) => joinLines(block).split('\n'))
    .flatMap((line) => withoutComment(line).split(/ && | \| /))
    .map((command) => command.trim())
    .filter(Boolean);

/** Returns a text in which each command has one line. */
export const joinLines = (text: string): string => text.replaceAll(/ *\\\n */g, ' ');
const withoutComment = (line: string): string => line.replace(/(^| +)#.*/, '');
