/**
 * Runs one check. An exception becomes one problem line, prefixed with `where`, so that the other
 * parts of a broken package are still described.
 */
export async function collectErrors<T>(
  problems: string[],
  where: string,
  check: () => T | Promise<T>,
): Promise<T | null> {
  try {
    return await check();
  } catch (error) {
    problems.push(`${where}: ${(error as Error).message}`);
    return null;
  }
}
