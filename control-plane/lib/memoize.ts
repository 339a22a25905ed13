/** Computes a value once per object and caches it for the object's lifetime. */
export function memoize<K extends object, V>(workOut: (of: K) => V): (of: K) => V {
  const cache = new WeakMap<K, { value: V }>();
  return (of) => {
    let entry = cache.get(of);
    if (!entry) cache.set(of, (entry = { value: workOut(of) }));
    return entry.value;
  };
}

/** Loads on first use and caches the result. After a failure, the next call loads again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    if (!loaded) {
      loaded = load();
      loaded.catch(() => (loaded = undefined));
    }
    return loaded;
  };
}
