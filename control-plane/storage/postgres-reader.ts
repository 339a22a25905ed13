import type { Pool, PoolConfig } from 'pg';
import { openPool } from './postgres-pool.ts';

const CONNECTIONS = 4;
const LONGEST_MS = 30_000;

/** Separate connections for long reads, so that these cannot exhaust those of recording. */
export function postgresReader(
  url: string,
  config: PoolConfig,
  onProblem: (message: string) => void,
): Pool {
  return openPool(readOnly(url), { ...config, max: CONNECTIONS }, onProblem);
}

const OPTIONS = [
  'default_transaction_read_only=on',
  `statement_timeout=${LONGEST_MS}`,
  // A parallel query would take CPUs from recording.
  'max_parallel_workers_per_gather=0',
];

/** Options in the URL override those beside it, so ours are appended to those of the URL. */
function readOnly(url: string): string {
  const existing = new URLSearchParams(url.split('?')[1]).get('options') ?? '';
  const ours = OPTIONS.map((option) => `-c ${option}`).join(' ');
  const options = encodeURIComponent(`${existing} ${ours}`.trim());
  return `${url}${url.includes('?') ? '&' : '?'}options=${options}`;
}
