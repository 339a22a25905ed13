import { rmSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { createOnce, keepPrivate } from '../../private-file.ts';
import { WORDS_VERSION } from '../../search/rules.ts';

/**
 * The words stand in a file of their own beside the database, so that writing them never holds up
 * what is recorded. It can be deleted: it is then written anew.
 */
export const searchFileOf = (databaseFile: string): string =>
  databaseFile.replace(/(\.db)?$/, '-search.db');

/** Makes the file if it is not there, not readable, or made by older rules. */
export function prepareSearchFile(file: string): void {
  try {
    if (openSearchFile(file)) return;
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true });
  openSearchFile(file);
}

/** False when the words in it were made by other rules. */
function openSearchFile(file: string): boolean {
  createOnce(file, '');
  keepPrivate([file, `${file}-wal`, `${file}-shm`]);
  const search = new BetterSqlite3(file);
  try {
    const version = search.pragma('user_version', { simple: true });
    if (version === WORDS_VERSION) return true;
    if (version !== 0) return false;
    search.pragma('journal_mode = WAL');
    // Without the texts themselves, which are in the database. The tokenizer takes the words as
    // they are: everything that is not ASCII belongs to a word.
    search.exec(`
      begin immediate;
      create virtual table if not exists call_words
        using fts5(words, content='', contentless_delete=1, tokenize='ascii');
      create table if not exists progress (one integer primary key check (one = 1), last_id integer);
      insert or ignore into progress values (1, 0);
      pragma user_version = ${WORDS_VERSION};
      commit;
    `);
    return true;
  } finally {
    search.close();
  }
}

const isDamaged = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code);
