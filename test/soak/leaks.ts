import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { CaptureWorld } from '../support/capture-world/world.ts';
import { MODEL_KEY } from '../support/model-provider.ts';
import { searchFor } from '../support/text-search.ts';
import { tablesOf } from '../faults/old-database.ts';
import { secrets } from './secrets.ts';

/** A secret as it is, as in JSON, and as in URLs. */
const forms = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
];
const search = searchFor([MODEL_KEY, ...secrets.flatMap(({ secret }) => forms(secret))]);

const PIECE_BYTES = 16 * 1024 * 1024;
const MAX_SECRET_LENGTH = 64 * 1024;

export interface Leaks {
  /**
   * Returns the secrets that were found, and where: in files, in database rows, or in the output of
   * the control plane and the agent.
   */
  find: () => string[];
  /** The number of segments of the spool that were read before they were uploaded. */
  segments: () => number;
  close: () => void;
}

export function watchForLeaks(world: CaptureWorld): Leaks {
  const inSpool: string[] = [];
  const seen = new Set<string>();
  const spool = join(world.state.folder, 'captures');
  const scanFolder = (): void => {
    for (const name of existsSync(spool) ? readdirSync(spool) : []) {
      const bytes = read(join(spool, name));
      if (bytes.length === 0) continue;
      if (name !== 'open.ndjson') seen.add(name);
      inSpool.push(...search(bytes).map((secret) => `spool, ${name}: ${secret}`));
    }
  };
  const watcher = watch(world.state.folder, { recursive: true }, scanFolder);
  return {
    find: () => [...inSpool, ...inFiles(world), ...inRows(world), ...inOutput(world)],
    segments: () => seen.size,
    close: () => watcher.close(),
  };
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0); // The segment was uploaded.
  }
}

const inFiles = (world: CaptureWorld): string[] =>
  [world.state.folder, world.data].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap(({ parentPath, name }) =>
        searchFile(join(parentPath, name)).map((secret) => `file ${name}: ${secret}`),
      ),
  );

/** Searches a file in chunks, each with the end of the previous one. */
function searchFile(file: string): string[] {
  const found: string[] = [];
  const buffer = Buffer.alloc(PIECE_BYTES);
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return []; // The file was deleted.
  }
  for (let at = 0; ; at += PIECE_BYTES - MAX_SECRET_LENGTH) {
    const bytes = readSync(descriptor, buffer, 0, PIECE_BYTES, at);
    found.push(...search(buffer.subarray(0, bytes)));
    if (bytes < PIECE_BYTES) break;
  }
  closeSync(descriptor);
  return found;
}

/**
 * Searches the rows of the database. Its file may store a long value in several places, between which
 * a secret would be split.
 */
function inRows({ data }: CaptureWorld): string[] {
  const database = new BetterSqlite3(join(data, 'gatehouse.db'), { readonly: true });
  const found = tablesOf(database).flatMap((table) => {
    const secretsIn = new Set<string>();
    for (const row of database.prepare(`select * from "${table}"`).iterate())
      for (const value of Object.values(row as object))
        if (typeof value === 'string' || value instanceof Uint8Array)
          for (const secret of search(Buffer.from(value as string))) secretsIn.add(secret);
    return [...secretsIn].map((secret) => `table ${table}: ${secret}`);
  });
  database.close();
  return found;
}

const inOutput = (world: CaptureWorld): string[] =>
  search(Buffer.from(world.output())).map((secret) => `output: ${secret}`);
