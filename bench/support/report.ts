import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

export type Row = readonly string[];

const file = join(import.meta.dirname, '../RESULTS.md');

const titles = {
  ingest: 'Recording, beside its limit',
  dashboards: 'Dashboards, as history grows, on SQLite',
  dashboardsOnPostgres: 'Dashboards, as history grows, on PostgreSQL',
  scans: 'Free filters over one million calls, on SQLite',
  scansOnPostgres: 'Free filters over one million calls, on PostgreSQL',
  pages: 'Every page of the console over one million calls, on SQLite',
  pagesOnPostgres: 'Every page of the console over one million calls, on PostgreSQL',
  process: 'The process itself',
  policyCheck: 'Policy checks, as policies grow',
  flows: 'Flows of devices, beside recording',
  flowOwners: 'Short connections and their processes',
  installer: 'Packing an app, beside bsdtar and gzip',
  guardPush: 'A change of Guard, to a fleet',
  fleetInventory: 'Apps across a fleet, on SQLite',
  fleetInventoryOnPostgres: 'Apps across a fleet, on PostgreSQL',
  auditExport: 'An export of the audit log',
  signInFlood: 'Requests during a flood of sign-ins',
  capture: 'Relaying connections, captured or not, beside bare relays',
  inventory: 'Inventory scans, first and again, beside a bare walk',
  otlp: 'OpenTelemetry, beside recording in batches',
  trace: 'The trace of a run with 30,000 spans, in Chromium',
  hooks: 'Hooks of coding agents, beside a bare start of Node',
  search: 'Search: what indexing costs, and how long answers take',
} as const;

/** Replaces one section of RESULTS.md with a new table. */
export function writeSection(
  section: keyof typeof titles,
  head: Row,
  rows: readonly Row[],
  notes = '',
): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '# Results\n';
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
  const text = [
    `## ${titles[section]}`,
    '',
    `Measured ${new Date().toISOString().slice(0, 10)} on ${machine()}.`,
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    ...(notes ? ['', notes] : []),
    '',
  ].join('\n');
  const parts = before.split(/^(?=## )/m);
  const place = parts.findIndex((part) => part.startsWith(`## ${titles[section]}\n`));
  if (place < 0) parts.push(text);
  else parts[place] = text;
  writeFileSync(file, `${parts.map((part) => part.trim()).join('\n\n')}\n`);
  // Aligns the table like the other tables of the project.
  execFileSync(join(import.meta.dirname, '../../node_modules/.bin/oxfmt'), [file]);
}

const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ` +
  `Node ${process.versions.node}; server, database and load share it`;
