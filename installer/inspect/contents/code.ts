import { z } from 'zod';
import { CPU_ARM64, CPU_X86_64, MACH_HEAD_BYTES, readMachO } from '../../mach-o.ts';
import type { BundleReport, CodeReport, LaunchItemReport, ProgramReport } from '../inspection.ts';
import { readCodeSignature, readPlist } from './code-signature.ts';
import type { CpioHeader, FileReader } from './cpio.ts';
import { createFuseReader } from './fuses.ts';

/** A limit in bytes. Only the head of larger programs, such as Electron's framework, is kept. */
const MAX_PROGRAM_BYTES = 8 * 1024 * 1024;
const MAX_PLIST_BYTES = 1024 * 1024;

/**
 * Collects facts about the code in a payload while it is read: bundles, programs, background items.
 * Unreadable code is skipped, nothing is verified, and at most one file is held in memory.
 */
export function createCodeReader() {
  const report: CodeReport = { bundles: [], programs: [], launchItems: [], fuses: [] };
  const read = ({ path, kind, size }: CpioHeader): FileReader | null => {
    if (kind !== 'file') return null;
    if (bundlePath.test(path) && size <= MAX_PLIST_BYTES)
      return readWholeFile((bytes) => report.bundles.push(...describeBundle(path, bytes)));
    if (launchItemPath.test(path) && size <= MAX_PLIST_BYTES)
      return readWholeFile((bytes) => report.launchItems.push(...describeItem(path, bytes)));
    const programs = programReader(path, size, (program) => report.programs.push(program));
    if (!path.endsWith('/Electron Framework')) return programs;
    return combineReaders(
      programs,
      createFuseReader((fuses) => report.fuses.push({ path, fuses })),
    );
  };
  return { read, report };
}

const bundlePath = /\.(app|systemextension)\/Contents\/Info\.plist$/;
const launchItemPath = /^\.\/Library\/Launch(Agents|Daemons)\/[^/]+\.plist$/;

function readWholeFile(use: (bytes: Buffer) => unknown): FileReader {
  const pieces: Buffer[] = [];
  return { take: (piece) => void pieces.push(piece), end: () => use(Buffer.concat(pieces)) };
}

const combineReaders = (one: FileReader, other: FileReader): FileReader => ({
  take: (piece) => [one, other].forEach((reader) => reader.take(piece)),
  end: () => [one, other].forEach((reader) => reader.end()),
});

function describeBundle(path: string, bytes: Buffer): BundleReport[] {
  const info = readPlist(bytes);
  if (!info) return [];
  const text = (key: string): string | null => (typeof info[key] === 'string' ? info[key] : null);
  const bundle = path.replace(/\/Contents\/Info\.plist$/, '');
  return [
    {
      path: bundle,
      identifier: text('CFBundleIdentifier'),
      version: text('CFBundleShortVersionString') ?? text('CFBundleVersion'),
      inDock: bundle.endsWith('.app') && info['LSUIElement'] !== true,
      integrity: Object.entries(
        asarIntegrity.safeParse(info['ElectronAsarIntegrity']).data ?? {},
      ).map(([file, { algorithm, hash }]) => ({
        path: `${bundle}/Contents/${file}`,
        algorithm,
        hash,
      })),
    },
  ];
}

const asarIntegrity = z.record(z.string(), z.object({ algorithm: z.string(), hash: z.string() }));

function describeItem(path: string, bytes: Buffer): LaunchItemReport[] {
  const item = readPlist(bytes);
  if (!item) return [];
  const { Label: label, ProgramArguments: command } = item;
  return [
    {
      path,
      label: typeof label === 'string' ? label : null,
      command: Array.isArray(command) ? command.map(String) : [],
      keptAlive: item['KeepAlive'] === true,
    },
  ];
}

function programReader(
  path: string,
  size: number,
  onProgram: (program: ProgramReport) => void,
): FileReader {
  const pieces: Buffer[] = [];
  let length = 0;
  let limit = MACH_HEAD_BYTES;
  return {
    take(piece) {
      const isFirst = length === 0;
      if (length < limit) pieces.push(piece);
      length += piece.length;
      // The whole file is only needed if it is a program.
      if (isFirst && size <= MAX_PROGRAM_BYTES && hasMachMagic(piece)) limit = size;
    },
    end() {
      const bytes = Buffer.concat(pieces);
      const program = readMachO(bytes.subarray(0, MACH_HEAD_BYTES), size);
      if (!program) return;
      const architectures = program.slices.map(
        ({ cpuType }) => names.get(cpuType) ?? `processor ${cpuType}`,
      );
      const [slice] = program.slices;
      const signature =
        bytes.length === size && slice
          ? readCodeSignature(bytes.subarray(slice.offset, slice.offset + slice.size))
          : null;
      onProgram({ path, architectures, wholeRead: bytes.length === size, signature });
    },
  };
}

const names = new Map([
  [CPU_X86_64, 'x86_64'],
  [CPU_ARM64, 'arm64'],
]);

const magics = new Set([0xcafebabe, 0xcafebabf, 0xcefaedfe, 0xcffaedfe, 0xfeedface, 0xfeedfacf]);
const hasMachMagic = (piece: Buffer): boolean =>
  piece.length >= 4 && magics.has(piece.readUInt32BE(0));
