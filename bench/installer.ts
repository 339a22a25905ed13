/**
 * Measures the time and memory of packing an app, compared with `bsdtar` and `gzip` on the same
 * tree, alternating. Linux only.
 *
 * installer.ts [FILES [MEGABYTES]]     default: 5000 files and 300 MB
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApp } from './support/app-tree.ts';
import { writeSection } from './support/report.ts';

const ROUNDS = 5;
const [files = '5000', megabytes = '300'] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const place = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const app = join(place, 'Gatehouse.app');
const ours = join(place, 'ours.pkg');
const theirs = join(place, 'theirs.cpio.gz');

const command = ['--import', './require-node.mjs', 'installer/command.ts', 'build'];
const programs = {
  ours: [process.execPath, ...command, '--app', app, '--version', '1.2.3', '--out', ours],
  theirs: ['sh', '-c', 'bsdtar --format odc -cf - -C "$1" . | gzip > "$2"', 'sh', app, theirs],
};

interface Measured {
  seconds: number;
  peakMb: number;
}

/** Runs a process from start to end and measures it. */
async function measure([program = '', ...args]: readonly string[]): Promise<Measured> {
  const began = performance.now();
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  let peakMb = 0;
  const watch = setInterval(() => (peakMb = peakMemoryMb(child.pid as number) ?? peakMb), 20);
  const [code] = (await once(child, 'exit')) as [number];
  clearInterval(watch);
  if (code !== 0) throw new Error(`${program} exited with ${code}`);
  return { seconds: (performance.now() - began) / 1000, peakMb };
}

function peakMemoryMb(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = /VmHWM:\s+(\d+)/.exec(status)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

makeApp(app, Number(files), Number(megabytes) * 1e6);
const rounds: { ours: Measured; theirs: Measured }[] = [];
for (let round = -1; round < ROUNDS; round += 1) {
  const pair = { ours: await measure(programs.ours), theirs: await measure(programs.theirs) };
  // The first round only fills the page cache.
  if (round >= 0) rounds.push(pair);
}
const row = [
  `${megabytes} MB in ${files} files`,
  middle(rounds.map((one) => one.ours.seconds)).toFixed(2),
  middle(rounds.map((one) => one.theirs.seconds)).toFixed(2),
  middle(rounds.map((one) => one.ours.seconds / one.theirs.seconds)).toFixed(2),
  '≤ 1.5',
  Math.max(...rounds.map((one) => one.ours.peakMb)).toFixed(0),
  (statSync(ours).size / 1e6).toFixed(0),
  (statSync(theirs).size / 1e6).toFixed(0),
];
rmSync(place, { recursive: true, force: true });
console.log(row.join('  '));
writeSection(
  'installer',
  ['app', 's', 'bsdtar and gzip, s', 'ratio', 'goal', 'peak MB', 'package, MB', 'theirs, MB'],
  [row],
);
