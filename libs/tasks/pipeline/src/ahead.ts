/**
 * What `work` makes of each item, in order, while it is under way with the next ones. A failure is thrown in its turn,
 * when those under way have ended.
 *
 * @param most how many are under way at a time; asked anew with each
 */
export async function* ahead<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  most: () => number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const underWay: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // thrown where it is waited for
      result.catch(() => undefined);
      underWay.push(result);
      while (underWay.length >= most()) yield await underWay.shift()!;
    }
    while (underWay.length > 0) yield await underWay.shift()!;
  } finally {
    await Promise.allSettled(underWay);
  }
}
