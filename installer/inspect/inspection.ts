/** What a package is and what is wrong with it: what `--json` prints. Times are ISO 8601. */
export interface Inspection {
  file: string;
  /** Bytes. */
  size: number;
  archive: ArchiveReport | null;
  product: ProductReport | null;
  components: ComponentReport[];
  signature: SignatureReport | null;
  ticket: TicketReport | null;
  /** What no signature and no checksum speaks of. Refused only where asked to be strict. */
  unreferenced: string[];
  /** What was not checked, or is worth knowing. */
  notes: string[];
  /** Why the package is not to be trusted; empty for one that is whole. */
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
  /** The folder inside the product archive, or `.` where the package is a component itself. */
  path: string;
  identifier: string | null;
  version: string | null;
  installLocation: string | null;
  files: number;
  /** Bytes of all files once installed. */
  installedSize: number;
  scripts: string[];
  code: CodeReport;
  payload: FileReport[];
}

/** What the files say of themselves; nothing of it is verified. */
export interface CodeReport {
  bundles: BundleReport[];
  programs: ProgramReport[];
  launchItems: LaunchItemReport[];
  /** Of Electron's framework, for each processor. */
  fuses: { path: string; fuses: Record<string, string> }[];
}

export interface BundleReport {
  path: string;
  identifier: string | null;
  version: string | null;
  inDock: boolean;
  /** Of archives of code: the hash that Electron compares when it opens one. */
  integrity: { path: string; algorithm: string; hash: string }[];
}

export interface ProgramReport {
  path: string;
  architectures: string[];
  /** A large one is not: then nothing is known of its signature. */
  wholeRead: boolean;
  signature: CodeSignatureReport | null;
}

export interface CodeSignatureReport {
  identifier: string;
  teamId: string | null;
  hardenedRuntime: boolean;
  /** By nobody: a checksum. */
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
  /** Octal, with the kind of file, as `100755`. */
  mode: string;
  checksum: number;
  target: string | null;
}

export interface SignatureReport {
  /** Which of the two slots are there: RSA, CMS. */
  styles: string[];
  algorithms: string[];
  signer: string;
  teamId: string | null;
  /** What the signer says, under its signature; only a timestamp proves it. */
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
  /** Whether it begins as Apple's do. */
  wellFormed: boolean;
  /** Whether the checksum of this package is among the bytes of the ticket. */
  namesThisPackage: boolean;
}
