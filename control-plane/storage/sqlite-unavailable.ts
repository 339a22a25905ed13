import BetterSqlite3 from 'better-sqlite3';

const FULL = 'the disk of DATA_DIR is full: nothing can be written until there is room';
const READ_ONLY = 'the database in DATA_DIR is read-only: nothing can be written';
const FAILS = 'the disk of DATA_DIR is full or fails';

/** By SQLite's names of its results, and the system's of errors with files; the first that fits counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)$/, FULL],
  [/^(SQLITE_READONLY.*|EROFS)$/, READ_ONLY],
  [
    /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    'another program has locked the database in DATA_DIR: try again when it is done',
  ],
  [/^(EACCES|EPERM)$/, 'the folder DATA_DIR takes no new files: its permissions have changed'],
  [/^(SQLITE_IOERR.*|SQLITE_CANTOPEN.*|EIO)$/, FAILS],
];

/** Why SQLite cannot do its work now. */
export function sqliteUnavailability(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  if (!(error instanceof Error) || typeof code !== 'string') return undefined;
  return REASONS.find(([codes]) => codes.test(code))?.[1];
}

export const isLocked = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY');
