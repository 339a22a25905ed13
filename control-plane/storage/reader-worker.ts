import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import type { ReaderResponse, ReaderFiles, ReaderRequest } from './reader-thread.ts';
import { cachingPrepare } from './statement-cache.ts';

const { databaseFile, searchFile } = workerData as ReaderFiles;
const port = parentPort;
const database = new BetterSqlite3(databaseFile, { readonly: true });
database.prepare('attach ? as search').run(searchFile);
const prepare = cachingPrepare(database);

function answer({ text, parameters }: ReaderRequest): ReaderResponse {
  try {
    const statement = prepare(text);
    if (statement.reader) return { rows: statement.all(parameters) };
    statement.run(parameters);
    return { rows: [] };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { error: { message, code } };
  }
}

port?.on('message', (question: ReaderRequest | null) => {
  if (question) return port.postMessage(answer(question));
  database.close();
  port.close();
});
