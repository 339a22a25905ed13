import BetterSqlite3 from 'better-sqlite3';

const FULL = 'the disk of DATA_DIR is full: writes fail until there is free space';
const READ_ONLY = 'the database in DATA_DIR is read-only: writes fail';
const FAILS = 'the disk of DATA_DIR is full or failing';

/** By SQLite's result names, and the system's for file errors; the first match counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)$/, FULL],
  [/^(SQLITE_READONLY.*|EROFS)$/, READ_ONLY],
  [
    /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    'another program has locked the database in DATA_DIR: try again when it has finished',
  ],
  [
    /^(EACCES|EPERM)$/,
    'no files can be created in the folder DATA_DIR: its permissions have changed',
  ],
  [/^(SQLITE_IOERR.*|SQLITE_CANTOPEN.*|EIO)$/, FAILS],
];

/** Why SQLite is unavailable. */
export function sqliteUnavailability(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  if (!(error instanceof Error) || typeof code !== 'string') return undefined;
  return REASONS.find(([codes]) => codes.test(code))?.[1];
}

export const isLocked = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY');
