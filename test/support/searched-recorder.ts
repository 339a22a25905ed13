/** A program that records and indexes calls until it is killed. */
import { openStorage } from '#control-plane/storage/open.ts';
import { storeCalls } from './searched-calls.ts';

const { RECORDER_DATA_DIR = '', RECORDER_DATABASE_URL } = process.env;
const storage = await openStorage({
  dataDir: RECORDER_DATA_DIR,
  databaseUrl: RECORDER_DATABASE_URL || undefined,
  onProblem: (line) => void process.stderr.write(`${line}\n`),
});
const batch = Array.from({ length: 500 }, (_, i) => ({
  prompt_preview: `common n${i} ${'filling '.repeat(50)}`,
}));
for (let count = 1; ; count += 1) {
  await storeCalls(storage, 'tnt_killed', batch);
  process.stdout.write(`recorded ${count}\n`);
  // Waits, so that at any moment a step of the indexer or a merge is in progress.
  await storage.search.catchUp('tnt_killed');
}
