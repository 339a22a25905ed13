import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms } from '#agent/bundle-programs.ts';
import { makeHome } from './support/inventory/make-home.ts';
import type { Costs } from './support/inventory/scan-home.ts';
import { writeSection } from './support/report.ts';

/** Builds the scanning program in the form that is installed on devices. */
async function buildScan(folder: string): Promise<string> {
  await bundlePrograms(folder, {
    'scan-home': join(import.meta.dirname, 'support/inventory/scan-home.ts'),
  });
  return join(folder, 'scan-home.js');
}

/**
 * Measures the cost of inventory scans on a home with 200,000 files and 13,000 searched folders: a
 * first scan, one without changes, and one after changes, compared with a bare walk over the same
 * folders. Each runs in a new process, alternating. The minimum of the rounds counts, because other
 * programs can only increase the time. Linux only.
 *
 * inventory.ts [ROUNDS]     default 3
 */

const ROUNDS = Number(process.argv[2] ?? 3);

/**
 * The size of V8's semi-space, which is that of the agent's thread (`resourceLimits` in
 * scan-thread.ts).
 */
const HEAP = '--max-semi-space-size=2';

const kinds = ['watched', 'reported', 'times', 'limit'] as const;
type Kind = (typeof kinds)[number];

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const home = join(dir, 'home');
const files = makeHome(home, { files: 200_000, searched: 13_000 });
const program = await buildScan(join(import.meta.dirname, 'dist/inventory'));

const measured: Record<Kind, Costs[]> = { watched: [], reported: [], times: [], limit: [] };
for (let round = 0; round < ROUNDS; round += 1)
  for (const kind of round % 2 ? kinds.toReversed() : kinds) {
    const printed = execFileSync(process.execPath, [HEAP, program, home, kind], {
      encoding: 'utf8',
    });
    measured[kind].push(JSON.parse(printed) as Costs);
  }
rmSync(dir, { recursive: true });

const least = (kind: Kind, what: keyof Costs): number =>
  Math.min(...measured[kind].map((costs) => costs[what]));
const most = (kind: Kind, what: keyof Costs): number =>
  Math.max(...measured[kind].map((costs) => costs[what]));
const ms = (kind: Kind, what: keyof Costs): string => `${least(kind, what).toFixed(0)} ms`;
const ratio = (kind: Kind, what: keyof Costs): string =>
  (least(kind, what) / least('limit', what)).toFixed(1);
const ofFirst = (kind: Kind): string => {
  const share = (100 * least(kind, 'againMs')) / least(kind, 'firstMs');
  return `${ms(kind, 'againMs')} (${share.toFixed(1)} % of the first)`;
};

writeSection(
  'inventory',
  [
    'what',
    'watching folders',
    'watching trees',
    'by modification times only',
    'bare walk',
    'ratio',
    'goal',
  ],
  [
    [
      'first scan, CPU time',
      ms('watched', 'firstMs'),
      ms('reported', 'firstMs'),
      ms('times', 'firstMs'),
      ms('limit', 'firstMs'),
      ratio('watched', 'firstMs'),
      '≤ 2,000 ms',
    ],
    [
      'second scan, nothing changed',
      ofFirst('watched'),
      ofFirst('reported'),
      ofFirst('times'),
      ms('limit', 'againMs'),
      ratio('watched', 'againMs'),
      '≤ 5 % of the first',
    ],
    [
      'second scan, 20 new projects',
      ms('watched', 'changedMs'),
      ms('reported', 'changedMs'),
      ms('times', 'changedMs'),
      ms('limit', 'changedMs'),
      ratio('watched', 'changedMs'),
      '',
    ],
    [
      'peak resident memory of a process that only scans',
      `${most('watched', 'peakMb').toFixed(0)} MB`,
      `${most('reported', 'peakMb').toFixed(0)} MB`,
      `${most('times', 'peakMb').toFixed(0)} MB`,
      `${most('limit', 'peakMb').toFixed(0)} MB`,
      '',
      '≤ 120 MB',
    ],
  ],
  `${files.toLocaleString('en')} files; ${least('watched', 'apps')} apps found. Scans include the table of ` +
    'processes and the folders of the system, the bare walk does not. Trees are watched as on macOS, with events ' +
    'that the benchmark makes.',
);
