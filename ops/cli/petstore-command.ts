import { Command } from 'commander';
import { npxPetstore } from './command-line.ts';

/** A command of petstore, whose help ends with examples, what it needs and where it is described. */
export class PetstoreCommand extends Command {
  declare readonly commands: readonly PetstoreCommand[];
  declare parent: PetstoreCommand | null;
  readonly #examples: string[] = [];
  #environment: string | undefined;
  readonly #permissions: string[] = [];
  #page: string | undefined;

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
    this.#environment = text;
    return this;
  }

  /** Adds actions of IAM that the command takes on a deployed stage, such as `dynamodb:Scan`. */
  permissions(...actions: string[]): this {
    this.#permissions.push(...actions);
    return this;
  }

  /** Names the page of the documents, with its anchor, for the command and its subcommands. */
  page(page: string): this {
    this.#page = page;
    return this;
  }

  /** Returns the actions of IAM that the command takes on a deployed stage. */
  allPermissions(): string[] {
    return this.#permissions;
  }

  /** Returns its own examples or, for a group without any, those of its subcommands. */
  allExamples(): string[] {
    return this.#examples.length > 0
      ? this.#examples
      : this.commands.flatMap((command) => command.allExamples());
  }

  #endOfHelp(): string {
    const lines = this.allExamples().map((example) => `  ${npxPetstore} ${example}`);
    const notes = ['', 'Examples:', ...lines];
    const page = this.#page ?? (this.parent ? this.parent.#page : undefined);
    if (this.#environment !== undefined) {
      notes.push('', `Environment: ${this.#environment}`);
    }
    if (this.#permissions.length > 0) {
      notes.push('', `Permissions on a deployed stage: ${this.#permissions.join(', ')}`);
    }
    if (page !== undefined) {
      notes.push('', `More: ${page}`);
    }
    return notes.join('\n');
  }
}
