import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { isObject, valueAt } from '#agent/core/recognition/mcp-server.ts';
import { skimJson } from './skim-json.ts';
import { readAt } from './read-at.ts';

/** The size of the archive's header: two lengths, each preceded by its own size. */
const HEADER_BYTES = 16;
/** The limit of a table of contents: those of large apps have one or two megabytes. */
const MAX_TABLE_BYTES = 4 * 1024 * 1024;
/** The limit in bytes of the part of a table that is parsed. */
const MAX_PARSED_BYTES = 1024 * 1024;
const MAX_FILE_BYTES = 1024 * 1024;

/** The location of a file in an archive. */
export interface FileRange {
  offset: number;
  size: number;
}

export interface Asar {
  handle: FileHandle;
  /** Reads a file at the top level, of at most 1 MiB. */
  read: (name: string) => Promise<Buffer | undefined>;
  /** Returns the files in these entries of the top level, and in the folders below them. */
  filesIn: (names: readonly string[], isWanted: (name: string) => boolean) => FileRange[];
}

function rangeOf(entry: unknown, start: number): FileRange | undefined {
  const { offset, size } = isObject(entry) ? entry : {};
  const at = typeof offset === 'string' ? Number(offset) : NaN;
  return Number.isSafeInteger(at) && typeof size === 'number'
    ? { offset: start + at, size }
    : undefined;
}

/** https://github.com/electron/asar#format: a table of contents in JSON, then all files. */
async function readTable(
  handle: FileHandle,
): Promise<{ table: Buffer; start: number } | undefined> {
  const prefix = await readAt(handle, 0, HEADER_BYTES);
  if (prefix.length < HEADER_BYTES || prefix.readUInt32LE(0) !== 4) return undefined;
  const length = prefix.readUInt32LE(12);
  if (length > MAX_TABLE_BYTES) return undefined;
  return { table: await readAt(handle, HEADER_BYTES, length), start: 8 + prefix.readUInt32LE(4) };
}

/** Files below an entry of the table, without those of libraries. */
function below(
  name: string,
  entry: unknown,
  isWanted: (name: string) => boolean,
): { name: string; entry: unknown }[] {
  const files = valueAt(entry, ['files']);
  if (!isObject(files)) return isWanted(name) ? [{ name, entry }] : [];
  return Object.entries(files)
    .filter(([child]) => child !== 'node_modules')
    .flatMap(([child, value]) => below(child, value, isWanted));
}

/**
 * Opens an Electron app's archive and reads only its table of contents and single files. Returns
 * undefined if it is missing or damaged.
 */
export async function withAsar<T>(
  path: string,
  use: (archive: Asar) => Promise<T>,
): Promise<T | undefined> {
  try {
    await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const contents = (await handle.stat()).isFile() ? await readTable(handle) : undefined;
    if (!contents) return undefined;
    const { table, start } = contents;
    const entriesOf = (names: readonly string[]): unknown => {
      const keys = names.map((name) => ['files', name]);
      const skimmed = skimJson(table, keys, MAX_PARSED_BYTES);
      return 'document' in skimmed ? valueAt(skimmed.document, ['files']) : undefined;
    };
    return await use({
      handle,
      read: async (name) => {
        const place = rangeOf(valueAt(entriesOf([name]), [name]), start);
        return place && place.size <= MAX_FILE_BYTES
          ? readAt(handle, place.offset, place.size)
          : undefined;
      },
      filesIn: (names, isWanted) => {
        const entries = entriesOf(names);
        const found = isObject(entries) ? Object.entries(entries) : [];
        return found
          .flatMap(([name, entry]) => below(name, entry, isWanted))
          .flatMap(({ entry }) => rangeOf(entry, start) ?? []);
      },
    });
  } catch {
    return undefined;
  }
}
