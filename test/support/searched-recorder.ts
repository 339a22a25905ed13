/** Records calls without end and has them indexed: a process to be killed in the middle. */
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
  // Steps of the indexer, and merges, are then under way at any moment.
  await storage.search.catchUp('tnt_killed');
}
