/** What a call of the file system answers, undefined where it fails. */
export function tryOrUndefined<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
