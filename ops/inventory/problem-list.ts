const longestList = 20;

/** What is wrong with many entries: the first 20 in words, and how many more there are. */
export class ProblemList {
  count = 0;
  readonly #told: string[] = [];
  /** How many more there are, by column. */
  readonly #more = new Map<string, number>();

  /** @param column what the problem is counted under, if it is one too many to be shown */
  add(text: string, column?: string): void {
    this.count += 1;
    if (this.count <= longestList) {
      this.#told.push(text);
    } else if (column !== undefined) {
      this.#more.set(column, (this.#more.get(column) ?? 0) + 1);
    }
  }

  /** Returns the list as lines of a message. */
  toString(): string {
    const more = this.count - this.#told.length;
    if (more === 0) {
      return this.#told.join('\n');
    }
    const ofColumns = [...this.#more].map(
      ([column, count]) => `, ${count.toLocaleString('en')} of ${column}`,
    );
    return `${this.#told.join('\n')}\nAnd ${more.toLocaleString('en')} more${ofColumns.join('')}.`;
  }
}
