import { DatabaseError } from 'pg';
import type { Unavailability } from './dialect.ts';

const unavailable = (message: string): Unavailability => ({
  reason: 'database_unavailable',
  message,
});

const unresponsive = unavailable('the database does not respond: try again in a moment');

/** Reasons by SQLSTATE; the first match counts. */
const REASONS: readonly (readonly [RegExp, Unavailability])[] = [
  [
    /^53100$/,
    {
      reason: 'storage_full',
      message: 'the disk of PostgreSQL is full: writes fail until there is free space',
    },
  ],
  [/^25006$/, { reason: 'storage_read_only', message: 'PostgreSQL is read-only: writes fail' }],
  [
    /^53300$/,
    unavailable(
      'PostgreSQL has no free connection: raise max_connections, or try again in a moment',
    ),
  ],
  [/^53/, unavailable('PostgreSQL is out of memory or another resource: try again in a moment')],
  [/^57014$/, unavailable('the query took too long')],
  [/^58/, unavailable('the disk of PostgreSQL reports errors: see its log')],
  [/^08/, unresponsive],
];

/** Matches network errors. */
const SYSTEM_ERROR = /^E[A-Z]+$/;
// `pg` reports lost and failed connections without a code.
const BROKEN =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered|was closed)|Postgres connection has been discarded)/;

/** Returns why PostgreSQL is unavailable; undefined for errors caused by the query. */
export function postgresUnavailability(error: unknown): Unavailability | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '' } = error as { code?: string };
  if (!(error instanceof DatabaseError))
    return SYSTEM_ERROR.test(code) || BROKEN.test(error.message) ? unresponsive : undefined;
  const reason = REASONS.find(([codes]) => codes.test(code))?.[1];
  return reason ?? (endsConnection(error) ? unresponsive : undefined);
}

/** Matches shutdowns, administrator commands and timeouts. */
const ENDS = /^(57P0|25P0[345])/;

/** Whether PostgreSQL closes the connection after this error. The severity may be localized. */
export const endsConnection = ({ code = '', severity }: DatabaseError): boolean =>
  ENDS.test(code) || severity === 'FATAL' || severity === 'PANIC';
