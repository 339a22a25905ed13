/**
 * The limit for SQLite: bare node:http, JSON.parse, and the same rows in the same table and indexes
 * through better-sqlite3. `group` commits all requests of one turn of the event loop together;
 * `each` commits every request separately.
 *
 * limit-sqlite.ts FILE normal|full group|each
 */
import { createServer, type ServerResponse } from 'node:http';
import BetterSqlite3 from 'better-sqlite3';
import type { BenchCall } from './calls.ts';

const [file = '', synchronous = 'full', commits = 'each'] = process.argv.slice(2);
const database = new BetterSqlite3(file);
database.pragma('journal_mode = WAL');
database.pragma(`synchronous = ${synchronous}`);
const insert = database.prepare(
  `insert into llm_calls (tenant_id, run_id, created_at, model, task, agent_name, workflow_name,
     tokens_in, tokens_out, total_tokens, cost, cost_source, prompt_hash, provider, duration_ms,
     cache_read_tokens, cache_write_tokens, prompt_preview, response_preview)
   values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
const HASH = 'a'.repeat(64);

function store(runId: number, calls: readonly BenchCall[]): void {
  const now = Date.now();
  for (const c of calls)
    insert.run(
      'tnt_bench',
      runId,
      now,
      c.model,
      c.task,
      'bench',
      'default',
      c.tokens_in,
      c.tokens_out,
      c.tokens_in + c.tokens_out,
      0.001,
      'table',
      HASH,
      null,
      null,
      0,
      0,
      c.prompt_preview,
      c.response_preview,
    );
}

interface Waiting {
  runId: number;
  calls: BenchCall[];
  response: ServerResponse;
}

let waiting: Waiting[] = [];
const commit = database.transaction((group: readonly Waiting[]) => {
  for (const { runId, calls } of group) store(runId, calls);
});

function flush(): void {
  const group = waiting;
  waiting = [];
  commit(group);
  for (const { calls, response } of group) answer(response, calls.length);
}

function answer(response: ServerResponse, count: number): void {
  const text = `{"status":"ok","count":${count}}`;
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', text.length);
  response.end(text);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { calls } = JSON.parse(Buffer.concat(chunks).toString()) as { calls: BenchCall[] };
    const runId = Number(/\/runs\/(\d+)\//.exec(request.url ?? '')?.[1]);
    if (waiting.push({ runId, calls, response }) > 1) return;
    if (commits === 'group') setImmediate(flush);
    else flush();
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify(server.address()));
});
