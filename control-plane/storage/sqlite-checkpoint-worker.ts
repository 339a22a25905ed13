import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';

const port = parentPort;
const database = new BetterSqlite3(workerData as string);

port?.on('message', (message: 'copy' | 'close') => {
  if (message === 'copy') {
    // A passive checkpoint copies as much as possible without blocking readers or writers.
    database.pragma('wal_checkpoint(PASSIVE)');
    port.postMessage('copied');
    return;
  }
  database.close();
  port.close();
});
