/** Description and problems of a package, as printed by `--json`. Times are ISO 8601. */
export interface Inspection {
  file: string;
  /** Bytes. */
  size: number;
  archive: ArchiveReport | null;
  product: ProductReport | null;
  components: ComponentReport[];
  signature: SignatureReport | null;
  ticket: TicketReport | null;
  /** Bytes covered by no signature or checksum. They are a problem in strict mode only. */
  unreferenced: string[];
  /** Skipped checks and other remarks. */
  notes: string[];
  /** The reasons not to trust the package. Empty if it is valid. */
  problems: string[];
}

export interface ArchiveReport {
  checksum: { algorithm: string; value: string };
  created: string | null;
  entries: { path: string; type: string; size: number | null; mode: string | null }[];
}

export interface ProductReport {
  title: string | null;
  identifier: string | null;
  version: string | null;
  minimumOs: string[];
  architectures: string[];
  components: { identifier: string; version: string | null; path: string }[];
}

export interface ComponentReport {
  /** The folder inside the product archive, or `.` if the package is itself a component. */
  path: string;
  identifier: string | null;
  version: string | null;
  installLocation: string | null;
  files: number;
  /** The total size in bytes of all installed files. */
  installedSize: number;
  scripts: string[];
  code: CodeReport;
  payload: FileReport[];
}

/** Unverified claims of the files about themselves. */
export interface CodeReport {
  bundles: BundleReport[];
  programs: ProgramReport[];
  launchItems: LaunchItemReport[];
  /** The fuses of Electron's framework, per processor. */
  fuses: { path: string; fuses: Record<string, string> }[];
}

export interface BundleReport {
  path: string;
  identifier: string | null;
  version: string | null;
  /** Whether it has an icon in the Dock while it runs; a system extension never has one. */
  inDock: boolean;
  /** The hashes of code archives, which Electron compares when it opens one. */
  integrity: { path: string; algorithm: string; hash: string }[];
}

export interface ProgramReport {
  path: string;
  architectures: string[];
  /** False for a large program, whose signature is unknown for this reason. */
  wholeRead: boolean;
  signature: CodeSignatureReport | null;
}

export interface CodeSignatureReport {
  identifier: string;
  teamId: string | null;
  hardenedRuntime: boolean;
  /** An ad-hoc signature is a checksum without an identity. */
  adHoc: boolean;
  /** `name`, or `name=value`. */
  entitlements: string[];
}

export interface LaunchItemReport {
  path: string;
  label: string | null;
  command: string[];
  keptAlive: boolean;
}

export interface FileReport {
  path: string;
  size: number;
  /** Octal, including the file type, as `100755`. */
  mode: string;
  checksum: number;
  target: string | null;
}

export interface SignatureReport {
  /** Signature slots present: RSA, CMS. */
  styles: string[];
  algorithms: string[];
  signer: string;
  teamId: string | null;
  /** Claimed by the signer, and only proved by a timestamp. */
  signingTime: string | null;
  timestamp: { time: string; authority: string; chain: CertificateReport[] } | null;
  chain: CertificateReport[];
}

export interface CertificateReport {
  subject: string;
  notBefore: string;
  notAfter: string;
  fingerprint256: string;
}

export interface TicketReport {
  /** Bytes. */
  length: number;
  /** Whether it has the prefix of Apple's tickets. */
  wellFormed: boolean;
  /** Whether the ticket contains the checksum of this package. */
  namesThisPackage: boolean;
}
