/** A package that devices may download. */
export interface PackageFile {
  path: string;
  version: string;
  /** SHA-256 of the content, in hex. */
  sha256: string;
  /** The fingerprint of the file when it was verified. If it is the same, the file is unchanged. */
  stamp: string;
}

/** Packages that this process has checked or built, by what they were built from. */
export type PackageCache = Map<string, Promise<PackageFile>>;
