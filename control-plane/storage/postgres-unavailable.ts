import { DatabaseError } from 'pg';

const NO_ANSWER = 'the database does not respond: try again in a moment';

/** By SQLSTATE; the first match counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^53100$/, 'the disk of PostgreSQL is full: writes fail until there is free space'],
  [/^25006$/, 'PostgreSQL is read-only: writes fail'],
  [/^53300$/, 'PostgreSQL has no free connection: raise max_connections, or try again in a moment'],
  [/^53/, 'PostgreSQL is out of memory or another resource: try again in a moment'],
  [/^57014$/, 'the query took too long'],
  [/^58/, 'the disk of PostgreSQL fails: see its log'],
  [/^08/, NO_ANSWER],
];

/** Network errors. */
const SYSTEM_ERROR = /^E[A-Z]+$/;
// `pg` reports lost and failed connections without a code.
const BROKEN =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered|was closed)|Postgres connection has been discarded)/;

/** Why PostgreSQL is unavailable. */
export function postgresUnavailability(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '' } = error as { code?: string };
  if (!(error instanceof DatabaseError))
    return SYSTEM_ERROR.test(code) || BROKEN.test(error.message) ? NO_ANSWER : undefined;
  const reason = REASONS.find(([codes]) => codes.test(code))?.[1];
  return reason ?? (endsConnection(error) ? NO_ANSWER : undefined);
}

/** Shutdowns, administrator commands and timeouts. */
const ENDS = /^(57P0|25P0[345])/;

/** After such an error PostgreSQL closes the connection. Its severity may be localized. */
export const endsConnection = ({ code = '', severity }: DatabaseError): boolean =>
  ENDS.test(code) || severity === 'FATAL' || severity === 'PANIC';
