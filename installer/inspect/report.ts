import type {
  CertificateReport,
  CodeReport,
  CodeSignatureReport,
  ComponentReport,
  Inspection,
  ProgramReport,
  SignatureReport,
} from './inspection.ts';

/** Maximum number of list items printed without `--all`. */
const LIST_LIMIT = 40;

/** Formats an inspection for a terminal. */
export function reportLines(inspection: Inspection, { all = false } = {}): string[] {
  const limit = all ? Infinity : LIST_LIMIT;
  const { archive, product, components, ticket } = inspection;
  return [
    `Package      ${inspection.file}, ${inspection.size} bytes`,
    ...(archive
      ? [
          `Checksum     ${archive.checksum.algorithm} ${archive.checksum.value} (table of contents)`,
          ...row('Created', archive.created),
          ...list(
            'Archive',
            archive.entries.map(({ path, type, size, mode }) =>
              [path, type === 'file' ? `${size} bytes` : type, mode ?? ''].join('  ').trim(),
            ),
            limit,
          ),
        ]
      : []),
    ...(product
      ? [
          `Product      ${product.identifier ?? '-'} ${product.version ?? '-'}`,
          ...row('Title', product.title),
          ...row('Minimum OS', product.minimumOs.join(', ')),
          ...row('Processors', product.architectures.join(', ')),
        ]
      : []),
    ...components.flatMap((component) => componentLines(component, limit)),
    ...signatureLines(inspection.signature),
    ticket
      ? `Ticket       stapled, ${ticket.length} bytes, ${
          ticket.namesThisPackage ? 'names this package' : 'does not show which package it is for'
        }; its own signature is not checked here`
      : 'Ticket       none',
    ...inspection.notes.map((text) => `Note         ${text}`),
    ...inspection.unreferenced.map((text) => `Unreferenced ${text}`),
    ...inspection.problems.map((text) => `Problem      ${text}`),
    inspection.problems.length === 0 ? 'Result       valid' : 'Result       refused',
  ];
}

function componentLines(component: ComponentReport, limit: number): string[] {
  const { path, identifier, version, installLocation, files, installedSize, scripts } = component;
  return [
    `Component    ${identifier ?? '-'} ${version ?? '-'}, in ${path}`,
    ...row('Installs to', installLocation),
    `Installs     ${files} entries, ${installedSize} bytes`,
    ...row('Scripts', scripts.join(', ')),
    ...codeLines(component.code, limit),
    ...list(
      'Payload',
      component.payload.map(
        (file) =>
          `${file.mode}  ${file.size} bytes  ${file.path}${file.target === null ? '' : ` -> ${file.target}`}`,
      ),
      limit,
    ),
  ];
}

function codeLines(code: CodeReport, limit: number): string[] {
  const { bundles, programs, launchItems, fuses } = code;
  return [
    ...list(
      'Bundle',
      bundles.map(
        ({ path, identifier, version, inDock }) =>
          `${identifier ?? '-'} ${version ?? '-'}${inDock ? '' : ', not in the Dock'}, in ${path}`,
      ),
      limit,
    ),
    ...list(
      'Integrity',
      bundles.flatMap(({ integrity }) =>
        integrity.map(({ path, algorithm, hash }) => `${algorithm} ${hash}, of ${path}`),
      ),
      limit,
    ),
    ...list(
      'Launch item',
      launchItems.map(
        ({ label, command, keptAlive }) =>
          `${label ?? '-'}${keptAlive ? ', kept alive' : ''}, runs ${command.join(' ')}`,
      ),
      limit,
    ),
    ...list('Program', programs.flatMap(programLines), limit),
    ...list('Fuses', [...new Set(fuses.map(({ fuses: wire }) => fuseLine(wire)))], limit),
  ];
}

function programLines({ path, architectures, wholeRead, signature }: ProgramReport): string[] {
  const facts = [architectures.join(' and '), signedAs(wholeRead, signature), path].join(', ');
  const entitlements = signature?.entitlements ?? [];
  return [facts, ...entitlements.map((entitlement) => `  may ${entitlement}`)];
}

function signedAs(wholeRead: boolean, signature: CodeSignatureReport | null): string {
  if (!wholeRead) return 'its signature is not checked';
  if (!signature) return 'not signed';
  const { identifier, teamId, hardenedRuntime, adHoc } = signature;
  const by = adHoc ? 'ad hoc' : `by team ${teamId ?? '-'}`;
  return `signed ${by} as ${identifier}${hardenedRuntime ? ', hardened runtime' : ''}`;
}

const fuseLine = (wire: Readonly<Record<string, string>>): string =>
  Object.entries(wire)
    .map(([name, state]) => `${name} ${state}`)
    .join(', ');

function signatureLines(signature: SignatureReport | null): string[] {
  if (!signature) return ['Signature    none'];
  const { timestamp } = signature;
  return [
    `Signature    ${signature.styles.join(' and ')} (${signature.algorithms.join('; ')})`,
    `Signer       ${signature.signer}, team ${signature.teamId ?? '-'}`,
    ...signature.chain.map((certificate) => `Certificate  ${certificateLine(certificate)}`),
    ...row('Signed at', signature.signingTime),
    ...(timestamp
      ? [
          `Timestamp    ${timestamp.time} by ${timestamp.authority}`,
          ...timestamp.chain.map((certificate) => `Certificate  ${certificateLine(certificate)}`),
        ]
      : []),
  ];
}

const certificateLine = ({ subject, notBefore, notAfter, fingerprint256 }: CertificateReport) =>
  `${subject}; ${notBefore.slice(0, 10)} to ${notAfter.slice(0, 10)}; SHA-256 ${fingerprint256}`;

const row = (label: string, text: string | null): string[] =>
  text ? [`${label.padEnd(12)} ${text}`] : [];

function list(label: string, items: readonly string[], limit: number): string[] {
  const rows = items.slice(0, limit).map((item) => `${label.padEnd(12)} ${item}`);
  const more = items.length - rows.length;
  return more > 0 ? [...rows, `${label.padEnd(12)} and ${more} more`] : rows;
}
