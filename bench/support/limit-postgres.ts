/**
 * The limit for PostgreSQL: bare node:http, JSON.parse, and one `json_populate_recordset` statement
 * per request over a pool of twenty connections.
 *
 * limit-postgres.ts URL
 */
import { createServer } from 'node:http';
import { Pool } from 'pg';
import type { BenchCall } from './calls.ts';

const pool = new Pool({ connectionString: process.argv[2], max: 20 });
const HASH = 'a'.repeat(64);
const COLUMNS = `tenant_id, run_id, created_at, model, task, agent_name, workflow_name, tokens_in,
  tokens_out, total_tokens, cost, cost_source, prompt_hash, provider, duration_ms,
  cache_read_tokens, cache_write_tokens, prompt_preview, response_preview`;
const INSERT = `insert into llm_calls (${COLUMNS})
  select ${COLUMNS} from json_populate_recordset(null::llm_calls, $1)`;

const rowOf = (run_id: number, call: BenchCall) => ({
  tenant_id: 'tnt_limit',
  run_id,
  created_at: Date.now(),
  agent_name: 'bench',
  workflow_name: 'default',
  total_tokens: call.tokens_in + call.tokens_out,
  cost: 0.001,
  cost_source: 'table',
  prompt_hash: HASH,
  provider: null,
  duration_ms: null,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  ...call,
});

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { calls } = JSON.parse(Buffer.concat(chunks).toString()) as { calls: BenchCall[] };
    const runId = Number(/\/runs\/(\d+)\//.exec(request.url ?? '')?.[1]);
    pool.query(INSERT, [JSON.stringify(calls.map((call) => rowOf(runId, call)))]).then(
      () => {
        const text = `{"status":"ok","count":${calls.length}}`;
        response.setHeader('Content-Type', 'application/json');
        response.setHeader('Content-Length', text.length);
        response.end(text);
      },
      (error: Error) => {
        console.error(error.message);
        response.writeHead(500, { 'Content-Length': 0 }).end();
      },
    );
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify(server.address()));
});
