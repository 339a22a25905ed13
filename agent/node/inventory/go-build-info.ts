import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** What a Go program was built from. */
export interface GoModules {
  /** The import path of its main package. */
  path: string;
  version: string | undefined;
  dependencies: readonly string[];
}

interface Section {
  offset: number;
  size: number;
}

/** Section tables and names are short, except in damaged files. */
const MAX_TABLE = 256 * 1024;
/** One line per module of the program. */
const MAX_INFO = 512 * 1024;

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.min(length, MAX_INFO));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
  return buffer.subarray(0, bytesRead);
}

const nameAt = (bytes: Buffer, at: number, end = bytes.indexOf(0, at)): string =>
  bytes.toString('latin1', at, end < 0 ? undefined : end);

const numberAt = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

/** ELF with 64 bits: sections have numbers of their names, and one section holds these. */
async function elfSection(file: FileHandle, head: Buffer): Promise<Section | undefined> {
  const [size, count, names] = [
    head.readUInt16LE(58),
    head.readUInt16LE(60),
    head.readUInt16LE(62),
  ];
  if (size < 64 || names >= count || size * count > MAX_TABLE) return undefined;
  const table = await readAt(file, numberAt(head, 40), size * count);
  const section = (i: number) => ({
    name: table.readUInt32LE(i * size),
    offset: numberAt(table, i * size + 24),
    size: numberAt(table, i * size + 32),
  });
  const texts = section(names);
  const strings = await readAt(file, texts.offset, Math.min(texts.size, MAX_TABLE));
  return Array.from({ length: count }, (_, i) => section(i)).find(
    ({ name }) => nameAt(strings, name) === '.go.buildinfo',
  );
}

const SEGMENT = 0x19;

/** Mach-O with 64 bits: commands, of which those for segments list their sections. */
async function machoSection(file: FileHandle, head: Buffer): Promise<Section | undefined> {
  const commands = await readAt(file, 32, Math.min(head.readUInt32LE(20), MAX_TABLE));
  for (let at = 0; at + 8 <= commands.length;) {
    const size = commands.readUInt32LE(at + 4);
    if (size < 8) return undefined;
    if (commands.readUInt32LE(at) === SEGMENT)
      for (let section = at + 72; section + 80 <= at + size; section += 80)
        if (nameAt(commands, section).startsWith('__go_buildinfo'))
          return {
            offset: commands.readUInt32LE(section + 48),
            size: numberAt(commands, section + 40),
          };

    at += size;
  }
  return undefined;
}

async function goSection(file: FileHandle): Promise<Section | undefined> {
  const head = await readAt(file, 0, 64);
  if (head.length < 64) return undefined;
  const magic = head.toString('hex', 0, 5);
  if (magic === '7f454c4602') return elfSection(file, head);
  return magic.startsWith('cffaedfe') ? machoSection(file, head) : undefined;
}

/** https://pkg.go.dev/debug/buildinfo: lines of `path`, `mod` and `dep`, fields apart by tabs. */
function readModules(text: string): GoModules | undefined {
  const path = /(?:^|\n|\W)path\t([\w./~-]+)\n/.exec(text)?.[1];
  const version = /\nmod\t[^\t\n]+\tv?(\d[\w.+-]*)/.exec(text)?.[1];
  const modules = [...text.matchAll(/\ndep\t([^\t\n]+)\t/g)].map(([, name = '']) => name);
  return path === undefined ? undefined : { path, version, dependencies: modules };
}

/**
 * The modules of a Go program; undefined for other files. Reads only a few kilobytes, whose
 * location is in the file's section table.
 */
export async function readGoModules(path: string): Promise<GoModules | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return undefined;
    const section = await goSection(file);
    if (!section) return undefined;
    return readModules((await readAt(file, section.offset, section.size)).toString('latin1'));
  } catch {
    return undefined;
  }
}
