import type {
  CertificateReport,
  CodeReport,
  CodeSignatureReport,
  ComponentReport,
  Inspection,
  ProgramReport,
  SignatureReport,
} from './inspection.ts';

/** Of long lists this many are shown unless all are wanted. */
const shownLimit = 40;

/** An inspection as lines for a terminal. */
export function reportLines(inspection: Inspection, { all = false } = {}): string[] {
  const most = all ? Infinity : shownLimit;
  const { archive, product, components, ticket } = inspection;
  return [
    `Package      ${inspection.file}, ${inspection.size} bytes`,
    ...(archive
      ? [
          `Checksum     ${archive.checksum.algorithm} ${archive.checksum.value} (table of contents)`,
          ...line('Created', archive.created),
          ...list(
            'Archive',
            archive.entries.map(({ path, type, size, mode }) =>
              [path, type === 'file' ? `${size} bytes` : type, mode ?? ''].join('  ').trim(),
            ),
            most,
          ),
        ]
      : []),
    ...(product
      ? [
          `Product      ${product.identifier ?? '-'} ${product.version ?? '-'}`,
          ...line('Title', product.title),
          ...line('Minimum OS', product.minimumOs.join(', ')),
          ...line('Processors', product.architectures.join(', ')),
        ]
      : []),
    ...components.flatMap((component) => componentLines(component, most)),
    ...signatureLines(inspection.signature),
    ticket
      ? `Ticket       stapled, ${ticket.length} bytes, ` +
        (ticket.namesThisPackage ? 'names this package' : 'does not show which package it is for') +
        '; its own signature is not checked here'
      : 'Ticket       none',
    ...inspection.notes.map((text) => `Note         ${text}`),
    ...inspection.unreferenced.map((text) => `Unreferenced ${text}`),
    ...inspection.problems.map((text) => `Problem      ${text}`),
    inspection.problems.length === 0 ? 'Result       whole' : 'Result       refused',
  ];
}

function componentLines(component: ComponentReport, most: number): string[] {
  const { path, identifier, version, installLocation, files, installedSize, scripts } = component;
  return [
    `Component    ${identifier ?? '-'} ${version ?? '-'}, in ${path}`,
    ...line('Installs to', installLocation),
    `Installs     ${files} entries, ${installedSize} bytes`,
    ...line('Scripts', scripts.join(', ')),
    ...codeLines(component.code, most),
    ...list(
      'Payload',
      component.payload.map(
        (file) =>
          `${file.mode}  ${file.size} bytes  ${file.path}` +
          (file.target === null ? '' : ` -> ${file.target}`),
      ),
      most,
    ),
  ];
}

function codeLines(code: CodeReport, most: number): string[] {
  const { bundles, programs, launchItems, fuses } = code;
  return [
    ...list(
      'Bundle',
      bundles.map(
        ({ path, identifier, version, inDock }) =>
          `${identifier ?? '-'} ${version ?? '-'}${inDock ? '' : ', not in the Dock'}, in ${path}`,
      ),
      most,
    ),
    ...list(
      'Integrity',
      bundles.flatMap(({ integrity }) =>
        integrity.map(({ path, algorithm, hash }) => `${algorithm} ${hash}, of ${path}`),
      ),
      most,
    ),
    ...list(
      'Launch item',
      launchItems.map(
        ({ label, command, keptAlive }) =>
          `${label ?? '-'}${keptAlive ? ', kept alive' : ''}, runs ${command.join(' ')}`,
      ),
      most,
    ),
    ...list('Program', programs.flatMap(programLines), most),
    ...list('Fuses', [...new Set(fuses.map(({ fuses: wire }) => fuseLine(wire)))], most),
  ];
}

function programLines({ path, architectures, wholeRead, signature }: ProgramReport): string[] {
  const facts = [architectures.join(' and '), signedAs(wholeRead, signature), path].join(', ');
  const entitlements = signature?.entitlements ?? [];
  return [facts, ...entitlements.map((entitlement) => `  may ${entitlement}`)];
}

function signedAs(wholeRead: boolean, signature: CodeSignatureReport | null): string {
  if (!wholeRead) return 'its signature is not looked at';
  if (!signature) return 'not signed';
  const { identifier, teamId, hardenedRuntime, adHoc } = signature;
  const by = adHoc ? 'by nobody' : `by team ${teamId ?? '-'}`;
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
    ...line('Signed at', signature.signingTime),
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

const line = (label: string, text: string | null): string[] =>
  text ? [`${label.padEnd(12)} ${text}`] : [];

function list(label: string, items: readonly string[], most: number): string[] {
  const shown = items.slice(0, most).map((item) => `${label.padEnd(12)} ${item}`);
  const more = items.length - shown.length;
  return more > 0 ? [...shown, `${label.padEnd(12)} and ${more} more`] : shown;
}
