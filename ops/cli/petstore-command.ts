import { Command } from 'commander';

/** A command of petstore, with examples that its help shows. */
export class PetstoreCommand extends Command {
  declare readonly commands: readonly PetstoreCommand[];
  readonly #examples: string[] = [];

  /** Adds command lines, each without `npx --no -- petstore`. */
  examples(...lines: string[]): this {
    this.#examples.push(...lines);
    return this;
  }

  /** Returns the examples of this command and of all its subcommands. */
  allExamples(): string[] {
    return [...this.#examples, ...this.commands.flatMap((command) => command.allExamples())];
  }
}
