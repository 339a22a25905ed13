import type { FileHandle } from 'node:fs/promises';
import { readAt } from './read-at.ts';

/** A named part of an executable file. */
export interface Section {
  name: string;
  offset: number;
  size: number;
}

/** Section tables and names are short, except in damaged files. */
const MAX_TABLE = 256 * 1024;

const nameAt = (bytes: Buffer, at: number, end = bytes.length): string => {
  const zero = bytes.indexOf(0, at);
  return bytes.toString('latin1', at, zero < 0 ? end : Math.min(zero, end));
};

const numberAt = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

/**
 * Reads the sections of a 64-bit ELF file: sections refer to their names by offsets into one
 * section.
 */
async function elfSections(file: FileHandle, head: Buffer): Promise<Section[]> {
  const [size, count, names] = [
    head.readUInt16LE(58),
    head.readUInt16LE(60),
    head.readUInt16LE(62),
  ];
  if (size < 64 || names >= count || size * count > MAX_TABLE) return [];
  const table = await readAt(file, numberAt(head, 40), size * count);
  const section = (i: number) => ({
    name: table.readUInt32LE(i * size),
    offset: numberAt(table, i * size + 24),
    size: numberAt(table, i * size + 32),
  });
  const texts = section(names);
  const strings = await readAt(file, texts.offset, Math.min(texts.size, MAX_TABLE));
  return Array.from({ length: count }, (_, i) => section(i)).map((found) => ({
    ...found,
    name: nameAt(strings, found.name),
  }));
}

const SEGMENT = 0x19;

/** Reads the sections of a 64-bit Mach-O file: load commands for segments list their sections. */
async function machoSections(file: FileHandle, start: number, head: Buffer): Promise<Section[]> {
  const length = Math.min(head.readUInt32LE(20), MAX_TABLE);
  const commands = await readAt(file, start + 32, length);
  const found: Section[] = [];
  for (let at = 0; at + 8 <= commands.length;) {
    const size = commands.readUInt32LE(at + 4);
    if (size < 8) break;
    const end = Math.min(at + size, commands.length);
    if (commands.readUInt32LE(at) === SEGMENT)
      for (let section = at + 72; section + 80 <= end; section += 80)
        found.push({
          name: nameAt(commands, section, section + 16),
          offset: start + commands.readUInt32LE(section + 48),
          size: numberAt(commands, section + 40),
        });

    at += size;
  }
  return found;
}

/**
 * Returns the start of the first program in a universal file, which has one for each processor
 * type.
 */
function firstProgram(head: Buffer): number | undefined {
  const count = head.readUInt32BE(4);
  // Java classes begin with the same bytes, and their version is higher than any count.
  if (count === 0 || count > 16) return undefined;
  const isWide = head.readUInt32BE(0) === 0xcafebabf;
  return isWide ? Number(head.readBigUInt64BE(16)) : head.readUInt32BE(16);
}

/** Returns the sections of a 64-bit ELF or Mach-O program. Empty for other and damaged files. */
export async function sectionsOf(file: FileHandle): Promise<readonly Section[]> {
  const head = await readAt(file, 0, 64);
  if (head.length < 64) return [];
  const magic = head.toString('hex', 0, 5);
  if (magic === '7f454c4602') return elfSections(file, head);
  if (magic.startsWith('cffaedfe')) return machoSections(file, 0, head);
  const start = /^cafebab[ef]/.test(magic) ? firstProgram(head) : undefined;
  if (start === undefined) return [];
  const first = await readAt(file, start, 64);
  const isProgram = first.length === 64 && first.toString('hex', 0, 4) === 'cffaedfe';
  return isProgram ? machoSections(file, start, first) : [];
}
