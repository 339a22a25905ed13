/**
 * A scanning process of bench/inventory.ts. `scan-home.js HOME KIND CHANGES` scans a home several
 * times and prints the cost of each scan as JSON. KIND is `watched`, `reported` (with events for
 * whole trees as on macOS), `times`, or `limit` (which only lists the same folders).
 */
import { EventEmitter } from 'node:events';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createScanner } from '#agent/node/inventory/scanner.ts';
import { openTree } from '#agent/node/inventory/tree.ts';
import { watchOnDarwin } from '#agent/node/inventory/watching/darwin.ts';
import { watchOnLinux } from '#agent/node/inventory/watching/linux.ts';
import { noWatcher, type Watcher } from '#agent/node/inventory/watching/watcher.ts';

export interface Costs {
  /** CPU milliseconds, user and system. */
  firstMs: number;
  againMs: number;
  changedMs: number;
  peakMb: number;
  apps: number;
}

const [home = '', kind] = process.argv.slice(2);
const AGAIN = 5;
const PROJECTS = 20;

async function costOf(work: () => Promise<number>): Promise<{ ms: number; found: number }> {
  const before = process.cpuUsage();
  const found = await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, found };
}

/** Waits until file times are settled and the code of the first scan is compiled. */
const settle = () => pause(2500);

/**
 * The peak of resident memory. `process.resourceUsage()` would include the memory of the parent
 * process.
 */
const peakMb = (): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

async function measure(scan: () => Promise<number>): Promise<Costs> {
  const first = await costOf(scan);
  await settle();
  const again: number[] = [];
  // Trees are watched from the end of the first scan on, and their folders from the second scan on.
  if (kind === 'reported') await scan();
  for (let i = 0; i < AGAIN; i += 1) again.push((await costOf(scan)).ms);
  const changes = join(home, 'src/changes');
  for (let i = 0; i < PROJECTS; i += 1) {
    mkdirSync(join(changes, `project-${i}`), { recursive: true });
    writeFileSync(join(changes, `project-${i}`, '.mcp.json'), '{}');
  }
  reportChange('src/changes');
  const changed = await costOf(scan);
  rmSync(changes, { recursive: true });
  return {
    firstMs: first.ms,
    againMs: Math.min(...again),
    changedMs: changed.ms,
    peakMb: peakMb(),
    apps: first.found,
  };
}

/** Reports a change in the watched tree, as FSEvents does. */
let reportChange = (_name: string): void => {};

const withMadeEvents = (_root: string, report: (type: string, name: string) => void) => {
  reportChange = (name) => report('rename', name);
  return { close: () => {}, on: () => new EventEmitter() as never };
};

function watcherOf(): Watcher {
  const options = { onChange: () => {} };
  if (kind === 'reported') return watchOnDarwin(options, [home], withMadeEvents);
  return (kind === 'watched' && watchOnLinux(options)) || noWatcher;
}

function ours(): () => Promise<number> {
  const scanner = createScanner(openTree('/'), { watcher: watcherOf() });
  return async () => (await scanner.scan([{ user: 'ada', dir: home }])).apps.length;
}

function walk(dir: string): void {
  for (const entry of readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') {
      const below = join(dir, entry.name);
      lstatSync(below);
      walk(below);
    }
}

const costs = await measure(
  kind === 'limit'
    ? async () => {
        walk(home);
        return 0;
      }
    : ours(),
);
process.stdout.write(JSON.stringify(costs));
