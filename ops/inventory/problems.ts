const longestList = 20;

/** What is wrong with many entries: the first 20 in words, and how many more there are. */
export class Problems {
  count = 0;
  readonly #shown: string[] = [];
  /** How many more there are, by column. */
  readonly #more = new Map<string, number>();

  /** @param column what the problem is counted under, if it is one too many to be shown */
  add(text: string, column = ''): void {
    this.count += 1;
    if (this.count <= longestList) {
      this.#shown.push(text);
    } else {
      this.#more.set(column, (this.#more.get(column) ?? 0) + 1);
    }
  }

  /** Returns the list as lines of a message. */
  toString(): string {
    if (this.count <= longestList) {
      return this.#shown.join('\n');
    }
    const columns = [...this.#more]
      .filter(([column]) => column !== '')
      .map(([column, count]) => `${count.toLocaleString('en')} of ${column}`);
    const more = `And ${(this.count - longestList).toLocaleString('en')} more`;
    return [...this.#shown, `${[more, ...columns].join(', ')}.`].join('\n');
  }
}
