/** Measures the time and memory of exports of audit logs of several sizes. Linux only. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openStorage } from '#control-plane/storage/open.ts';
import { firstTenant } from '#control-plane/tenants/queries.ts';
import { appendMany, SECRET_KEY } from '#test/support/audit-log.ts';
import { byKey, residentMb, type Server, startControlPlane } from './support/processes.ts';
import { type Row, writeSection } from './support/report.ts';

/**
 * The sizes of the exports. The first is a warm-up; the others show whether memory stays constant.
 */
const SIZES = [100_000, 600_000, 1_000_000];
const AT_ONCE = 20_000;
/** The heap limit of the exporting process, which an export in memory would exceed. */
const HEAP_MB = 96;
const WHOLE_DAYS = { start_date: '2026-01-01', end_date: '2026-01-31', format: 'ndjson' } as const;

/** Creates a database whose audit log has this many entries. */
async function fill(dir: string, entries: number): Promise<void> {
  await (await startControlPlane({ DATA_DIR: dir, SECRET_KEY })).stop();
  const storage = await openStorage({
    dataDir: dir,
    synchronous: 'normal',
    onProblem: (line) => console.error(line),
  });
  const { id } = await firstTenant(storage.db);
  const piece = Array.from({ length: AT_ONCE }, () => ({}));
  for (let done = 0; done < entries; done += AT_ONCE) await appendMany(storage, id, piece);
  await storage.close();
}

/** Polls the memory of a process while `work` runs. Returns the maximum. */
async function peakOf(server: Server, work: () => Promise<void>): Promise<number> {
  let peak = 0;
  const looking = setInterval(() => (peak = Math.max(peak, residentMb(server.pid))), 20);
  await work();
  clearInterval(looking);
  return peak;
}

async function bytesOf(url: string): Promise<number> {
  let bytes = 0;
  const { body } = await fetch(url);
  for await (const chunk of body as AsyncIterable<Uint8Array>) bytes += chunk.length;
  return bytes;
}

async function measure(entries: number): Promise<Row> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  await fill(dir, entries);
  const heap = `--max-old-space-size=${HEAP_MB}`;
  const server = await startControlPlane({ DATA_DIR: dir, SECRET_KEY, NODE_OPTIONS: heap });
  const { audit } = byKey(server);
  await pause(3000);
  const atRest = residentMb(server.pid);
  let url = '';
  const began = performance.now();
  const exporting = await peakOf(server, async () => {
    const { export_id } = await audit.startAuditExport({ body: WHOLE_DAYS });
    for (;;) {
      const found = await audit.findAuditExport({ params: { export_id } });
      if (found.status === 'failed') throw new Error('the export failed');
      if (found.status === 'completed') {
        if (found.entry_count < entries) throw new Error(`only ${found.entry_count} entries`);
        url = found.download_url ?? '';
        break;
      }
      await pause(100);
    }
  });
  const seconds = (performance.now() - began) / 1000;
  let bytes = 0;
  const sending = await peakOf(server, async () => {
    bytes = await bytesOf(url);
  });
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
  return [
    `${entries}`,
    seconds.toFixed(1),
    (bytes / 1e6).toFixed(0),
    ...[atRest, exporting, sending].map((mb) => mb.toFixed(0)),
  ];
}

const rows: Row[] = [];
for (const entries of SIZES) rows.push(await measure(entries));
for (const row of rows) console.log(row.join('  '));
writeSection(
  'auditExport',
  [
    'entries',
    's',
    'file, MB',
    'resident memory when idle, MB',
    'peak while exporting, MB',
    'peak while downloading, MB',
  ],
  rows,
  `SQLite; the heap of the process may not grow beyond ${HEAP_MB} MB. The goal: memory does not grow with the number of entries.`,
);
