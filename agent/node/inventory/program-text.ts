import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scan } from './platform-paths/platform-paths.ts';

const CHUNK_SIZE = 1024 * 1024;
/** The size limit of a program: programs with an embedded runtime have up to 320 MB. */
const MAX_PROGRAM_BYTES = 512 * 1024 * 1024;
/** The limit of all programs in one scan. */
const MAX_BYTES_PER_SCAN = 1024 * 1024 * 1024;

/** The first bytes of ELF, and of Mach-O in its 64-bit and universal formats. */
const magics = ['7f454c46', 'cffaedfe', 'cafebabe', 'cafebabf'];

const goSignature = Buffer.from('\xff Go buildinf:', 'latin1');
/** The build information follows its mark: a header of 32 bytes, a version, the modules. */
const GO_LENGTH = 16 * 1024;

export interface ProgramText {
  /** The searched texts that occur in the program. */
  found: ReadonlySet<string>;
  /** The build information of a Go program. */
  go: GoBuild | undefined;
}

export interface GoBuild {
  /** The import path of its main package. */
  path: string;
  /** The version; undefined for a program built from a working copy. */
  version: string | undefined;
}

/**
 * Parses lines of `path` and `mod` with fields separated by tabs
 * (https://pkg.go.dev/debug/buildinfo).
 */
function readGoBuild(text: string): GoBuild | undefined {
  const path = /(?:^|\n|\W)path\t([\w./~-]+)\n/.exec(text)?.[1];
  const version = /\nmod\t[^\t\n]+\tv?(\d[\w.+-]*)/.exec(text)?.[1];
  return path === undefined ? undefined : { path, version };
}

async function isExecutable(file: FileHandle): Promise<boolean> {
  const head = Buffer.alloc(4);
  const { bytesRead } = await file.read(head, 0, 4, 0);
  return bytesRead === 4 && magics.includes(head.toString('hex'));
}

interface SearchTerms {
  texts: readonly string[];
  /** Whether to look for Go's build information. */
  go: boolean;
}

async function search(file: FileHandle, wanted: SearchTerms): Promise<ProgramText> {
  const found = new Set<string>();
  const { texts } = wanted;
  let go: GoBuild | undefined;
  const buffer = Buffer.alloc(CHUNK_SIZE + GO_LENGTH);
  // Chunks overlap by the longest searched text.
  for (let position = 0; ; position += CHUNK_SIZE) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    const chunk = buffer.subarray(0, bytesRead);
    for (const text of texts) if (!found.has(text) && chunk.includes(text)) found.add(text);
    const at = wanted.go && !go ? chunk.indexOf(goSignature) : -1;
    if (at >= 0) go = readGoBuild(chunk.toString('latin1', at, at + GO_LENGTH));
    const isDone = found.size === texts.length && (go !== undefined || !wanted.go);
    if (isDone || bytesRead < buffer.length) return { found, go };
  }
}

/**
 * Searches an executable file for texts and for Go's build information. Nothing is run; scripts are
 * not searched, because any text may mention a tool. Undefined if it is not a readable executable,
 * or the limit of the scan is reached.
 */
export async function readProgramText(
  scan: Scan,
  { path: at, target: path }: { path: string; target: string },
  wanted: SearchTerms,
): Promise<ProgramText | undefined> {
  try {
    const real = join(scan.tree.root, path);
    await using file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
    const info = await file.stat();
    const read = scan.programBytes ?? 0;
    if (!info.isFile() || info.size > MAX_PROGRAM_BYTES || !(await isExecutable(file)))
      return undefined;
    if (info.size > MAX_BYTES_PER_SCAN - read) {
      scan.notRead(at, 'more programs than a scan searches, this one was not');
      return undefined;
    }
    scan.programBytes = read + info.size;
    return await search(file, wanted);
  } catch {
    return undefined;
  }
}
