import { DatabaseError } from 'pg';

const NO_ANSWER = 'the database does not answer: try again in a moment';

/** By SQLSTATE; the first that fits counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^53100$/, 'the disk of PostgreSQL is full: it takes no writes until there is room'],
  [/^25006$/, 'PostgreSQL is read-only: it takes no writes'],
  [/^53300$/, 'PostgreSQL has no connection left: raise max_connections, or try again in a moment'],
  [/^53/, 'PostgreSQL lacks memory or another resource: try again in a moment'],
  [/^57014$/, 'the query took too long'],
  [/^58/, "PostgreSQL's disk fails: its log says why"],
  [/^08/, NO_ANSWER],
];

/** Errors of the network. */
const SYSTEM_ERROR = /^E[A-Z]+$/;
// What `pg` says of a connection that it lost or did not get has no code.
const BROKEN =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered|was closed)|Postgres connection has been discarded)/;

/** Why PostgreSQL cannot do its work now. */
export function postgresUnavailability(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '' } = error as { code?: string };
  if (!(error instanceof DatabaseError))
    return SYSTEM_ERROR.test(code) || BROKEN.test(error.message) ? NO_ANSWER : undefined;
  const reason = REASONS.find(([codes]) => codes.test(code))?.[1];
  return reason ?? (endsConnection(error) ? NO_ANSWER : undefined);
}

/** Shutdowns, administrators and time limits. */
const ENDS = /^(57P0|25P0[345])/;

/** After such an error PostgreSQL closes the connection. Its severity may be in another language. */
export const endsConnection = ({ code = '', severity }: DatabaseError): boolean =>
  ENDS.test(code) || severity === 'FATAL' || severity === 'PANIC';
