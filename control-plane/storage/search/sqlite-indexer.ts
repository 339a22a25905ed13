import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import { indexedText, SEARCHED_CHARACTERS, type SearchedTexts } from '../../search/rules.ts';
import type { ReaderFiles } from '../reader-thread.ts';
import { follow, type Source } from './follow.ts';

const CALLS_AT_ONCE = 200;

const { databaseFile, searchFile } = workerData as ReaderFiles;

type Found = SearchedTexts & { id: number };

/** Reads calls in the order of their ids; how far it came is committed together with the words. */
function openSource(): Source {
  const calls = new BetterSqlite3(databaseFile, { readonly: true });
  const search = new BetterSqlite3(searchFile);
  // After a loss of power what is missing is indexed again.
  search.pragma('synchronous = NORMAL');
  startAnewIfAhead(calls, search);
  const select = calls.prepare<[number], Found>(
    `select id, tenant_id, model, task, ${start('prompt_preview')}, ${start('response_preview')}
     from llm_calls where id > ? order by id limit ${CALLS_AT_ONCE}`,
  );
  const newest = calls.prepare('select max(id) from llm_calls').pluck();
  const isThere = calls.prepare('select 1 from llm_calls where id = ?');
  const progress = search.prepare('select last_id from progress').pluck();
  const advance = search.prepare('update progress set last_id = ?');
  const insert = search.prepare('insert into call_words (rowid, words) values (?, ?)');
  const remove = search.prepare('delete from call_words where rowid = ?');

  const indexSome = search.transaction((): boolean => {
    const found = select.all(progress.get() as number);
    for (const call of found) insert.run(call.id, indexedText(call));
    const last = found.at(-1);
    if (last) advance.run(last.id);
    return last !== undefined;
  });
  const forget = search.transaction((callIds: readonly number[]): void => {
    // What is still there was not deleted after all.
    for (const id of callIds) if (!isThere.get(id)) remove.run(id);
  });
  return {
    indexSome: () => indexSome.immediate(),
    markOf: () => newest.get() as number | null,
    isReached: (_tenantId, mark) => (progress.get() as number) >= mark,
    forget: (callIds) => forget.immediate(callIds),
    close() {
      calls.close();
      search.close();
    },
  };
}

const start = (column: string): string =>
  `substr(${column}, 1, ${SEARCHED_CHARACTERS}) as ${column}`;

/** A database older than its words was restored: all is indexed anew. */
function startAnewIfAhead(calls: BetterSqlite3.Database, search: BetterSqlite3.Database): void {
  const given = calls
    .prepare(`select seq from sqlite_sequence where name = 'llm_calls'`)
    .pluck()
    .get() as number | undefined;
  search
    .transaction(() => {
      const lastId = search.prepare('select last_id from progress').pluck().get() as number;
      if (lastId <= (given ?? 0)) return;
      search.exec(`insert into call_words (call_words) values ('delete-all')`);
      search.exec('update progress set last_id = 0');
    })
    .immediate();
}

if (parentPort) follow(parentPort, openSource());
