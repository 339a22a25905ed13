import type { Pool, PoolConfig } from 'pg';
import { openPool } from './postgres-pool.ts';

const CONNECTIONS = 4;
const LONGEST_MS = 30_000;

/** Connections of their own for what takes long: it cannot take those that recording needs. */
export function postgresReader(
  url: string,
  config: PoolConfig,
  onProblem: (line: string) => void,
): Pool {
  return openPool(readOnly(url), { ...config, max: CONNECTIONS }, onProblem);
}

const OPTIONS = [
  'default_transaction_read_only=on',
  `statement_timeout=${LONGEST_MS}`,
  // A list that takes several processors takes them from recording.
  'max_parallel_workers_per_gather=0',
];

/** Options in the address win over those beside it, so ours are added there, to what it has. */
function readOnly(url: string): string {
  const given = new URLSearchParams(url.split('?')[1]).get('options') ?? '';
  const ours = OPTIONS.map((option) => `-c ${option}`).join(' ');
  const options = encodeURIComponent(`${given} ${ours}`.trim());
  return `${url}${url.includes('?') ? '&' : '?'}options=${options}`;
}
