/** The first `most` items, and whether there were more. */
export function take<T>(most: number, all: AsyncIterable<T>) {
  let isTruncated = false;
  async function* first(): AsyncGenerator<T> {
    let count = 0;
    for await (const one of all) {
      isTruncated = count === most;
      if (isTruncated) return;
      count += 1;
      yield one;
    }
  }
  return { first: first(), isTruncated: () => isTruncated };
}
