import { Command } from 'commander';
import { npxPetstore } from './command-line.ts';

/** A command of petstore, whose help ends with examples, what it needs and where it is described. */
export class PetstoreCommand extends Command {
  declare readonly commands: readonly PetstoreCommand[];
  readonly #examples: string[] = [];
  readonly #notes: string[] = [];

  constructor(name: string) {
    super(name);
    this.addHelpText('after', () => this.#endOfHelp());
  }

  /** Adds command lines, each without `npx --no -- petstore`. */
  examples(...lines: string[]): this {
    this.#examples.push(...lines);
    return this;
  }

  /** Says which environment variables the command reads. */
  environment(text: string): this {
    this.#notes.push(`Environment: ${text}`);
    return this;
  }

  /** Says which permissions the command needs in AWS. */
  permissions(text: string): this {
    this.#notes.push(`Permissions: ${text}`);
    return this;
  }

  /** Names the page of the documents, with its anchor. */
  page(page: string): this {
    this.#notes.push(`More: ${page}`);
    return this;
  }

  #endOfHelp(): string {
    const lines = this.allExamples().map((example) => `  ${npxPetstore} ${example}`);
    return ['', 'Examples:', ...lines, ...this.#notes.flatMap((note) => ['', note])].join('\n');
  }

  /** Returns its own examples or, for a group without any, those of its subcommands. */
  allExamples(): string[] {
    return this.#examples.length > 0
      ? this.#examples
      : this.commands.flatMap((command) => command.allExamples());
  }
}
