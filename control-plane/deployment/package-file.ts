/** A package that devices may download. */
export interface PackageFile {
  path: string;
  version: string;
  /** Of its content, in hex. */
  sha256: string;
  /** Of the file when it was verified: as long as it has this, it is what was verified. */
  stamp: string;
}
