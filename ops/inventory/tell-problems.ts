import { type Terminal, tell } from '../cli/terminal.ts';
import type { Place, Problem } from './check-item.ts';

export type PlacedProblem = Place & Problem;

/** Prints what is wrong with entries of a file, unless the JSON of an error says that. */
export const tellProblems = (
  terminal: Terminal,
  { json }: { json?: boolean },
  problems: PlacedProblem[],
): void => {
  for (const problem of json ? [] : problems) {
    const where = 'line' in problem ? `Line ${problem.line}` : `Element ${problem.element}`;
    tell(terminal, `${where}: ${problem.reason}`);
  }
};
