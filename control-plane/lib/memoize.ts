/** Works out once for each object what many ask of it; forgotten together with the object. */
export function memoize<K extends object, V>(workOut: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, { value: V }>();
  return (of) => {
    let found = known.get(of);
    if (!found) known.set(of, (found = { value: workOut(of) }));
    return found.value;
  };
}
