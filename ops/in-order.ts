/**
 * Calls a function on every item, up to `limit` at a time, and yields the results in the order of the items.
 * Whatever ends it, it waits for the calls under way.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  limit: number,
  call: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = call(item);
      // Its error is thrown when its turn comes.
      result.catch(() => {});
      underWay.push(result);
      if (underWay.length >= limit) {
        yield await (underWay.shift() as Promise<Result>);
      }
    }
    while (underWay.length > 0) {
      yield await (underWay.shift() as Promise<Result>);
    }
  } finally {
    await Promise.allSettled(underWay);
  }
}
