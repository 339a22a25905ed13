/** Why there is no package: one line. */
export class PackagingError extends Error {
  override name = 'PackagingError';
}
