/**
 * Runs one check. What it throws becomes one line under the place that was looked at, so that a
 * package which is broken in one place is still described in the others.
 */
export async function collecting<T>(
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
