import BetterSqlite3 from 'better-sqlite3';
import type { Unavailability } from './dialect.ts';

/**
 * Reasons by SQLite's result names, and by the system's error names for files; the first match
 * counts.
 */
const REASONS: readonly (readonly [RegExp, Unavailability['reason'], string])[] = [
  [
    /^(SQLITE_FULL|ENOSPC|EDQUOT)$/,
    'storage_full',
    'the disk of DATA_DIR is full: writes fail until there is free space',
  ],
  [
    /^(SQLITE_READONLY.*|EROFS)$/,
    'storage_read_only',
    'the database in DATA_DIR is read-only: writes fail',
  ],
  [
    /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    'database_unavailable',
    'another program has locked the database in DATA_DIR: try again when it has finished',
  ],
  [
    /^(EACCES|EPERM)$/,
    'storage_read_only',
    'no files can be created in the folder DATA_DIR: its permissions have changed',
  ],
  [
    /^(SQLITE_IOERR.*|SQLITE_CANTOPEN.*|EIO)$/,
    'database_unavailable',
    'the disk of DATA_DIR is full or failing',
  ],
];

/** Returns why SQLite is unavailable; undefined for errors caused by the query. */
export function sqliteUnavailability(error: unknown): Unavailability | undefined {
  const { code } = error as { code?: unknown };
  if (!(error instanceof Error) || typeof code !== 'string') return undefined;
  const [, reason, message] = REASONS.find(([codes]) => codes.test(code)) ?? [];
  return reason && message ? { reason, message } : undefined;
}

export const isLocked = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY');
