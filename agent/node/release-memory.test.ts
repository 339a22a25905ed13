import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

// Every hundredth block stays, so that the C library cannot return the memory by itself.
const PROGRAM = `
  const { releaseMemory } = await import('./agent/node/release-memory.ts');
  let blocks = Array.from({ length: 20_000 }, () => new Uint8Array(10_000).fill(1));
  blocks = blocks.filter((_, i) => i % 100 === 0);
  gc();
  const before = process.memoryUsage.rss();
  await releaseMemory();
  console.log(before - process.memoryUsage.rss(), blocks.length);
`;

const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };

test.runIf(header.glibcVersionRuntime !== undefined)(
  'free memory of the C library is returned to the system',
  async () => {
    const args = ['--expose-gc', '--input-type=module-typescript', '-e', PROGRAM];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    expect(parseInt(stdout, 10)).toBeGreaterThan(100e6);
  },
);
