import { type Terminal, tell } from '../../cli/terminal.ts';
import type { Problem } from '../entries/check-entry.ts';
import type { EntrySource } from '../files/entry-source.ts';

/** The most problems that an import names with --json, which are all kept in memory. */
export const mostProblems = 10_000;

/** Prints the problems of entries as they are found or, with --json, keeps them for the result. */
export class ProblemReport {
  /** The first problems of an import with --json, each with the line or element it is in. */
  readonly kept: (Problem & { line?: number; element?: number })[] = [];
  readonly #terminal: Terminal;
  readonly #unit: EntrySource['unit'];
  readonly #json: boolean;

  constructor(terminal: Terminal, unit: EntrySource['unit'], { json = false }) {
    this.#terminal = terminal;
    this.#unit = unit;
    this.#json = json;
  }

  add(position: number, problem: Problem): void {
    if (!this.#json) {
      const where = `${this.#unit === 'line' ? 'Line' : 'Element'} ${position}`;
      tell(this.#terminal, `${where}: ${problem.reason}`);
    } else if (this.kept.length < mostProblems) {
      this.kept.push({ [this.#unit]: position, ...problem });
    }
  }
}
