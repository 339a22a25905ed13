/**
 * Returns memory that the C library keeps for later to the system, in about 10 ms per 100 MB. Only
 * glibc keeps so much, and only it has this function (man 3 malloc_trim).
 */
export async function releaseMemory(): Promise<void> {
  if (process.platform !== 'linux') return;
  const { load } = await import('koffi').catch(() => ({ load: null }));
  try {
    load?.(null).func('int malloc_trim(size_t)')(0);
  } catch {
    // Another C library.
  }
}
