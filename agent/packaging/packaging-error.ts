/** Thrown when a package could not be built. The message is one line. */
export class PackagingError extends Error {
  override name = 'PackagingError';
}
