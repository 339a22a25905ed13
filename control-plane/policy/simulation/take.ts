/** The first of what comes, and whether there was more. */
export function take<T>(most: number, all: AsyncIterable<T>) {
  let isCut = false;
  async function* first(): AsyncGenerator<T> {
    let count = 0;
    for await (const one of all) {
      isCut = count === most;
      if (isCut) return;
      count += 1;
      yield one;
    }
  }
  return { first: first(), isCut: () => isCut };
}
