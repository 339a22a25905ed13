import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { readAt } from './read-at.ts';

const inflate = promisify(inflateRaw);

const END_SIGNATURE = 0x06054b50;
const MEMBER_SIGNATURE = 0x02014b50;
const END_SIZE = 22;
const MAX_COMMENT = 0xffff;
const MAX_DIRECTORY = 16 * 1024 * 1024;
const MAX_ENTRY = 1024 * 1024;

/** Reads the table of contents, whose position is in the archive's last record. */
async function readDirectory(file: FileHandle, size: number): Promise<Buffer | undefined> {
  const tailSize = Math.min(size, END_SIZE + MAX_COMMENT);
  const tail = await readAt(file, size - tailSize, tailSize);
  for (let at = tail.length - END_SIZE; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    const length = tail.readUInt32LE(at + 12);
    return length > MAX_DIRECTORY ? undefined : readAt(file, tail.readUInt32LE(at + 16), length);
  }
  return undefined;
}

interface Member {
  method: number;
  compressed: number;
  offset: number;
}

function findMember(directory: Buffer, memberName: string): Member | undefined {
  let at = 0;
  while (at + 46 <= directory.length && directory.readUInt32LE(at) === MEMBER_SIGNATURE) {
    const nameLength = directory.readUInt16LE(at + 28);
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength);
    if (name === memberName)
      return {
        method: directory.readUInt16LE(at + 10),
        compressed: directory.readUInt32LE(at + 20),
        offset: directory.readUInt32LE(at + 42),
      };

    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return undefined;
}

async function readMember(file: FileHandle, member: Member): Promise<Buffer | undefined> {
  if (member.compressed > MAX_ENTRY) return undefined;
  const header = await readAt(file, member.offset, 30);
  if (header.length < 30) return undefined;
  const start = member.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const data = await readAt(file, start, member.compressed);
  return member.method === 0 ? data : inflate(data, { maxOutputLength: MAX_ENTRY });
}

/**
 * Reads one entry of a jar (a zip archive), of at most 1 MiB. Reads the table of contents and that
 * entry, never the whole file. Returns undefined if the entry is missing or the archive is damaged.
 */
export async function readJarEntry(jar: string, name: string): Promise<Buffer | undefined> {
  try {
    await using file = await open(jar, constants.O_RDONLY | constants.O_NONBLOCK);
    const info = await file.stat();
    if (!info.isFile() || info.size < END_SIZE) return undefined;
    const directory = await readDirectory(file, info.size);
    const member = directory && findMember(directory, name);
    return member && (await readMember(file, member));
  } catch {
    return undefined;
  }
}
