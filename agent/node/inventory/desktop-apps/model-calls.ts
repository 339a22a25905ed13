import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { ADDRESS_LENGTH, modelAddressIn } from '#agent/core/recognition/model-addresses.ts';
import type { Asar, FileRange } from '../asar-file.ts';
import type { Scan } from '../platform-paths/platform-paths.ts';
import { sectionsOf } from '../program-sections.ts';

const CHUNK = 1024 * 1024;
/** The limit of one app. Its own code has a few megabytes; larger files are data. */
const MAX_BYTES_PER_APP = 16 * CHUNK;
/** The limit of all apps in a scan: about a third of a second of processor time. */
const MAX_BYTES_PER_SCAN = 256 * CHUNK;

/**
 * Sections with constant texts. On macOS: `__cstring` of C, Swift and Objective-C, `__const` of
 * Rust and Dart, `__rodata` of Go. On Linux: `.rodata` of all of them.
 */
const textSections = new Set(['__cstring', '__const', '__rodata', '.rodata']);

async function searchRange(
  file: FileHandle,
  { offset, size }: FileRange,
): Promise<string | undefined> {
  const end = offset + size;
  const chunk = Buffer.alloc(Math.min(CHUNK, size));
  for (let at = offset; at < end; at += CHUNK - ADDRESS_LENGTH) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, end - at), at);
    const found = modelAddressIn(chunk.subarray(0, bytesRead));
    if (found !== undefined || bytesRead === 0) return found;
  }
  return undefined;
}

async function search(
  scan: Scan,
  app: string,
  file: FileHandle,
  places: readonly FileRange[],
): Promise<string | undefined> {
  let left = Math.min(MAX_BYTES_PER_APP, MAX_BYTES_PER_SCAN - (scan.codeBytes ?? 0));
  for (const place of places) {
    const size = Math.min(place.size, left);
    if (size <= 0) {
      if (scan.codeBytes === MAX_BYTES_PER_SCAN)
        scan.notRead(app, 'more code of apps than a scan reads, the rest was not searched');
      return undefined;
    }
    left -= size;
    scan.codeBytes = (scan.codeBytes ?? 0) + size;
    const found = await searchRange(file, { ...place, size });
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the address of an interface to language models among the constant texts of a program. Its
 * instructions and data are not read. `app`: the path that the app is reported with.
 */
export async function addressInProgram(
  scan: Scan,
  app: string,
  path: string,
): Promise<string | undefined> {
  const target = await scan.tree.resolve(path);
  if (target === undefined) return undefined;
  try {
    const real = join(scan.tree.root, target);
    await using file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return undefined;
    const sections = await sectionsOf(file);
    const texts = sections.filter(({ name }) => textSections.has(name));
    return await search(scan, app, file, texts);
  } catch {
    return undefined;
  }
}

/** Folders of an Electron app's own code, besides the folder of its main file. */
const codeFolders = ['dist', 'build', 'out', 'app', 'src', 'renderer', '.vite', '.webpack'];

/**
 * Returns such an address in the code of an Electron app; `main` is the main file in its
 * package.json.
 */
export function addressInArchive(
  scan: Scan,
  app: string,
  archive: Asar,
  main: string | undefined,
): Promise<string | undefined> {
  const top = (main ?? 'index.js').replace(/^(?:\.?\/)+/, '').split('/', 1);
  const files = archive.filesIn([...new Set([...top, ...codeFolders])], (name) =>
    /\.[cm]?js$/.test(name),
  );
  return search(scan, app, archive.handle, files);
}
