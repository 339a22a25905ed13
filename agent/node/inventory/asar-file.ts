import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { isObject, valueAt } from '#agent/core/recognition/mcp-server.ts';
import { skimJson } from './skim-json.ts';
import { readAt } from './read-at.ts';

/** Two lengths, each with its own size before it. */
const PREFIX = 16;
/** Tables of contents of large apps have one or two megabytes. */
const MAX_TABLE = 4 * 1024 * 1024;
const MAX_FILE = 1024 * 1024;

/** https://github.com/electron/asar#format: a table of contents in JSON, then all files. */
async function fileIn(archive: FileHandle, name: string): Promise<Buffer | undefined> {
  const prefix = await readAt(archive, 0, PREFIX);
  if (prefix.length < PREFIX || prefix.readUInt32LE(0) !== 4) return undefined;
  const start = 8 + prefix.readUInt32LE(4);
  const length = prefix.readUInt32LE(12);
  if (length > MAX_TABLE) return undefined;
  const read = skimJson(await readAt(archive, PREFIX, length), [['files', name]], MAX_FILE);
  const entry = 'document' in read ? valueAt(read.document, ['files', name]) : undefined;
  const { offset, size } = isObject(entry) ? entry : {};
  const at = typeof offset === 'string' ? Number(offset) : NaN;
  if (!Number.isSafeInteger(at) || typeof size !== 'number' || size > MAX_FILE) return undefined;
  return readAt(archive, start + at, size);
}

/**
 * A file at the top level of an Electron app's archive, of at most 1 MiB. Reads only the table of
 * contents and that file. Undefined if it is missing or damaged.
 */
export async function readAsarFile(path: string, name: string): Promise<Buffer | undefined> {
  try {
    await using archive = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return (await archive.stat()).isFile() ? await fileIn(archive, name) : undefined;
  } catch {
    return undefined;
  }
}
