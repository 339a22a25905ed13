import { rmSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { createOnce, restrictToOwner } from '../../lib/private-file.ts';
import { WORDS_VERSION } from './word-rules.ts';
import { FIELD_COLUMNS } from './call-fields.ts';

/**
 * The file of the search index. It is separate from the database, so that writing it never delays
 * recording. If the file is deleted, the index is rebuilt.
 */
export const searchFileOf = (databaseFile: string): string =>
  databaseFile.replace(/(\.db)?$/, '-search.db');

/**
 * Creates the file if it is missing, unreadable or from another version. Returns the last indexed
 * call id.
 */
export function prepareSearchFile(file: string): number {
  try {
    const indexedTo = openSearchFile(file);
    if (indexedTo !== undefined) return indexedTo;
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true });
  return openSearchFile(file) ?? 0;
}

/**
 * Returns the last indexed call id; undefined if the file was created with another version of the
 * word rules.
 */
function openSearchFile(file: string): number | undefined {
  createOnce(file, '');
  restrictToOwner([file, `${file}-wal`, `${file}-shm`]);
  const search = new BetterSqlite3(file);
  try {
    const version = search.pragma('user_version', { simple: true });
    if (version === 0) create(search);
    else if (version !== WORDS_VERSION) return undefined;
    return search.prepare('select last_id from progress').pluck().get() as number;
  } finally {
    search.close();
  }
}

function create(search: BetterSqlite3.Database): void {
  search.pragma('journal_mode = WAL');
  search.exec(`
    begin immediate;
    create table search_segments (
      id integer primary key, tenant_id text not null, calls integer not null,
      first_id integer not null, last_id integer not null,
      first_at integer not null, last_at integer not null,
      models text not null, agents text not null,
      ${FIELD_COLUMNS.map((column) => `${column} blob not null`).join(', ')}
    );
    create index search_segments_by_tenant on search_segments (tenant_id);
    create table search_blocks (
      tenant_id text not null, segment_id integer not null, first_word blob not null,
      words blob not null, positions blob not null
    );
    create unique index search_blocks_by_word
      on search_blocks (tenant_id, segment_id, first_word);
    create table progress (one integer primary key check (one = 1), last_id integer not null);
    insert into progress values (1, 0);
    pragma user_version = ${WORDS_VERSION};
    commit;
  `);
}

const isDamaged = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code);
