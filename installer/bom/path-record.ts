import type { MachSlice } from '../mach-o.ts';
import { contentSize, fullMode, type PackageEntry } from '../package-entry.ts';
import { posixChecksum } from '../posix-checksum.ts';
import { u32 } from './bom-store.ts';

/** Facts that require reading a file's content. */
export interface ContentFacts {
  /** The checksum in the format of `cksum`. */
  checksum: number;
  machO: { fat: boolean; slices: readonly (MachSlice & { checksum: number })[] } | null;
}

const types = { file: 1, directory: 2, link: 3 };
const THIN = 0x1000;
const FAT = 0x2000;
const END = Buffer.alloc(8);

/** The record of one path ("PathInfo2"). `facts` is needed for files. */
export function pathRecord(entry: PackageEntry, facts: ContentFacts | undefined): Buffer {
  const head = Buffer.alloc(23);
  head.writeUInt8(types[entry.type], 0);
  head.writeUInt8(1, 1);
  head.writeUInt16BE(0x000f | binaryKind(facts), 2);
  head.writeUInt16BE(fullMode(entry), 4);
  head.set(u32(entry.uid, entry.gid, entry.mtime, contentSize(entry)), 6);
  head.writeUInt8(1, 22);
  return Buffer.concat([head, tail(entry, facts), END]);
}

function binaryKind(facts: ContentFacts | undefined): number {
  if (!facts?.machO) return 0;
  return facts.machO.fat ? FAT : THIN;
}

function tail(entry: PackageEntry, facts: ContentFacts | undefined): Buffer {
  if (entry.type === 'directory') return Buffer.alloc(0);
  if (entry.type === 'link') {
    const target = Buffer.from(`${entry.target}\0`);
    return Buffer.concat([u32(posixChecksum(target.subarray(0, -1)), target.length), target]);
  }
  if (!facts) throw new Error(`${entry.path}: its content has not been read`);
  const { checksum, machO } = facts;
  return machO ? Buffer.concat([u32(checksum), slicesRecord(machO.slices)]) : u32(checksum);
}

function slicesRecord(slices: readonly (MachSlice & { checksum: number })[]): Buffer {
  const fields = slices.flatMap((one) => [one.cpuType, one.cpuSubtype, one.size, one.checksum]);
  return Buffer.concat([Buffer.of(1), u32(slices.length, ...fields)]);
}
