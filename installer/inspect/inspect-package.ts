import { printable } from '#profile-builder/terminal-output.ts';
import type { ArchiveReport, Inspection } from './inspection.ts';
import {
  type Archive,
  checkContents,
  checkLayout,
  checkTocChecksum,
} from './archive/check-archive.ts';
import type { HeapReader } from './archive/content.ts';
import { HEADER_SIZE, readHeader } from './archive/header.ts';
import { describeTicket, readTicket } from './archive/ticket.ts';
import { digestToc, inflateToc, parseToc } from './archive/toc.ts';
import { collectErrors } from './collect-errors.ts';
import { inspectContents } from './contents/contents.ts';
import { openPackage, type PackageFile } from './package-file.ts';
import { inspectSignature } from './signature/package-signature.ts';
import { appleTrust, type Trust } from './signature/trust.ts';

export interface InspectOptions {
  /** Trust anchors. Default: Apple's root. */
  trust?: Trust;
  /** Accepts packages without any signature. An invalid signature is always a problem. */
  allowUnsigned?: boolean;
  /** Treats unreferenced bytes, and a ticket of another package, as problems. */
  strict?: boolean;
  /** Milliseconds since 1970. */
  now?: number;
}

/**
 * Reads and verifies a package of any size in bounded memory. Defects are returned in `problems`.
 *
 * @throws InstallerError only if the file cannot be read at all
 */
export async function inspectPackage(
  path: string,
  options: InspectOptions = {},
): Promise<Inspection> {
  await using file = await openPackage(path);
  const inspection: Inspection = {
    file: path,
    size: file.size,
    archive: null,
    product: null,
    components: [],
    signature: null,
    ticket: null,
    unreferenced: [],
    notes: [],
    problems: [],
  };
  const archive = await openArchive(file, inspection.problems);
  if (archive)
    await collectErrors(inspection.problems, 'package', () =>
      inspectArchive(file, archive, { inspection, options }),
    );
  if (options.strict) inspection.problems.push(...inspection.unreferenced);
  const [problems, unreferenced, notes] = [
    inspection.problems.map(printable),
    inspection.unreferenced.map(printable),
    inspection.notes.map(printable),
  ];
  return { ...inspection, problems, unreferenced, notes };
}

async function openArchive(file: PackageFile, problems: string[]): Promise<Archive | null> {
  const header = await collectErrors(problems, 'header', async () =>
    readHeader(await file.read(0, HEADER_SIZE)),
  );
  if (!header) return null;
  return collectErrors(problems, 'table of contents', async () => {
    const stored = await file.read(HEADER_SIZE, header.tocStored);
    const toc = parseToc(inflateToc(stored, header));
    return { header, toc, checksum: digestToc(stored, header.digest) };
  });
}

interface InspectionContext {
  inspection: Inspection;
  options: InspectOptions;
}

async function inspectArchive(
  file: PackageFile,
  archive: Archive,
  task: InspectionContext,
): Promise<void> {
  const { problems, unreferenced } = task.inspection;
  const { header, toc, checksum } = archive;
  const heap = { file, heapStart: header.heapStart };
  task.inspection.archive = describeArchive(archive);
  await checkTocChecksum(heap, archive, problems);
  const end = await inspectTicket(file, checksum, task);
  const layout = checkLayout(toc, end - heap.heapStart);
  problems.push(...layout.problems);
  unreferenced.push(...layout.unreferenced);
  await inspectSigning(heap, archive, task);
  if (!layout.isSound) return;
  await checkContents(heap, toc.entries, problems);
  await inspectContents(heap, toc.entries, task.inspection);
}

/** Checks the ticket and returns the offset at which the archive must end. */
async function inspectTicket(
  file: PackageFile,
  checksum: Buffer,
  { inspection, options: { strict = false } }: InspectionContext,
): Promise<number> {
  const ticket = await collectErrors(inspection.problems, 'ticket', () => readTicket(file));
  if (!ticket) {
    inspection.notes.push('no notarization ticket is stapled');
    return file.size;
  }
  inspection.ticket = describeTicket(ticket, checksum);
  if (!inspection.ticket.wellFormed)
    inspection.unreferenced.push("ticket: does not have the format of Apple's tickets");
  if (!inspection.ticket.namesThisPackage)
    (strict ? inspection.problems : inspection.notes).push(
      'ticket: does not contain the checksum of this package',
    );
  return ticket.start;
}

async function inspectSigning(
  heap: HeapReader,
  { header, toc, checksum }: Archive,
  { inspection, options }: InspectionContext,
): Promise<void> {
  const { allowUnsigned = false, trust = appleTrust, now = Date.now() } = options;
  if (toc.slots.length === 0) {
    if (!allowUnsigned) inspection.problems.push('signature: the package is not signed');
    return;
  }
  const signed = { digest: header.digest, value: checksum };
  const context = { ...inspection, heap, checksum: signed, trust, now };
  inspection.signature = await inspectSignature(toc, context);
}

const describeArchive = ({ header, toc, checksum }: Archive): ArchiveReport => ({
  checksum: { algorithm: header.digest, value: checksum.toString('hex') },
  created: toc.created,
  entries: toc.entries.map(({ path, type, mode, data }) => ({
    path,
    type,
    mode,
    size: data?.size ?? null,
  })),
});
