import { createGunzip } from 'node:zlib';
import { InstallerError } from '../../installer-error.ts';
import { decompress, type HeapReader, readContent } from '../archive/content.ts';
import type { EntryData } from '../archive/entries.ts';
import type { BomEntry } from './bom.ts';
import type { CodeReport } from '../inspection.ts';
import { createCodeReader } from './code.ts';
import { type CpioEntry, type CpioHeader, readCpio } from './cpio.ts';

/**
 * The maximum number of listed problems, so that a thoroughly broken package does not flood the
 * screen.
 */
const PROBLEM_LIMIT = 20;
const WRAP = 2 ** 32;

/**
 * Unpacks a payload in memory and compares each entry with the Bom. Reading ends at an entry that
 * is missing in the Bom or has another size, which bounds the cost.
 */
export async function comparePayload(
  heap: HeapReader,
  data: EntryData,
  bom: ReadonlyMap<string, BomEntry>,
): Promise<{ entries: CpioEntry[]; code: CodeReport; problems: string[] }> {
  const entries: CpioEntry[] = [];
  const problems: string[] = [];
  const code = createCodeReader();
  const accept = (header: CpioHeader) => {
    acceptEntry(header, bom);
    return code.read(header);
  };
  for await (const entry of readCpio(gunzip(heap, data), accept)) {
    entries.push(entry);
    if (problems.length < PROBLEM_LIMIT)
      problems.push(...compareEntry(entry, bom.get(entry.path) as BomEntry));
  }
  if (entries.length !== bom.size) {
    const packed = new Set(entries.map(({ path }) => path));
    const missing = [...bom.keys()].find((path) => !packed.has(path));
    problems.push(`${missing} is in Bom, but not in Payload`);
  }
  return { entries, code: code.report, problems };
}

/**
 * Decompresses gzip, however the archive encoded it.
 *
 * @throws InstallerError
 */
export async function* gunzip(heap: HeapReader, data: EntryData): AsyncGenerator<Buffer> {
  const [first] = await Array.fromAsync(peek(readContent(heap, data)));
  if (first?.toString('latin1', 0, 4) === 'pbzx')
    throw new InstallerError('compressed as pbzx (xz), which is not supported');
  yield* decompress(readContent(heap, data), createGunzip(), data.size);
}

async function* peek(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk;
    return;
  }
}

function acceptEntry({ path, kind, size }: CpioHeader, bom: ReadonlyMap<string, BomEntry>): void {
  const expected = bom.get(path);
  if (!expected) throw new InstallerError(`${path} is in Payload, but not in Bom`);
  if (kind !== expected.kind)
    throw new InstallerError(`${path}: is a ${kind}, but a ${expected.kind} in Bom`);
  // Folders have no size of their own. The Bom contains their size on the build machine's disk.
  if (kind !== 'directory' && size % WRAP !== expected.size)
    throw new InstallerError(`${path}: size ${size} differs from ${expected.size} in Bom`);
}

type Comparable = string | number | null;

function compareEntry(entry: CpioEntry, expected: BomEntry): string[] {
  const differences: string[] = [];
  const { path, mode, checksum, target, kind } = entry;
  const compare = (property: string, actual: Comparable, stated: Comparable) => {
    if (actual !== stated)
      differences.push(`${path}: ${property} ${actual} differs from ${stated} in Bom`);
  };
  compare('mode', mode.toString(8), expected.mode.toString(8));
  if (kind !== 'directory') compare('checksum', checksum, expected.checksum);
  compare('link target', target, expected.target);
  return differences;
}
