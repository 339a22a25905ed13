import { sql } from 'kysely';
import { ApiError } from '#contract/errors.ts';
import { contains } from '../storage/contains.ts';
import type { Db } from '../storage/open.ts';
import type { LogFilter } from './log-rules.ts';

interface Names {
  actor?: string | undefined;
  resource?: string | undefined;
}

/**
 * Returns the ids of the objects whose names contain the given texts.
 *
 * @throws ApiError `validation_error` if too many names contain a text
 */
export async function filterByNames(
  db: Db,
  tenantId: string,
  { actor, resource }: Names,
): Promise<Pick<LogFilter, 'actors' | 'resources'>> {
  return {
    ...(actor && { actors: refuseTooManyNames('actor', await findActors(db, tenantId, actor)) }),
    ...(resource && {
      resources: refuseTooManyNames('resource', await findResources(db, tenantId, resource)),
    }),
  };
}

function refuseTooManyNames(name: keyof Names, ids: readonly string[]): readonly string[] {
  if (ids.length > MAX_NAMED)
    throw new ApiError(
      'validation_error',
      `${name}: more than ${MAX_NAMED} names contain this text: give more of the name`,
    );
  return ids;
}

/** The maximum number of objects that are looked up for a name. */
export const MAX_NAMED = 50;

interface Named {
  table: string;
  column: string;
}

const actors: readonly Named[] = [
  { table: 'users', column: 'email' },
  { table: 'api_keys', column: 'name' },
];

const resources: readonly Named[] = [
  ...actors,
  { table: 'policies', column: 'name' },
  { table: 'prompts', column: 'name' },
  { table: 'devices', column: 'hostname' },
  { table: 'inventory_rules', column: 'name' },
  { table: 'list_views', column: 'name' },
];

/**
 * Returns the ids of users and API keys whose name contains a text, and the text itself as an id.
 */
export const findActors = (db: Db, tenantId: string, text: string): Promise<string[]> =>
  findNamed(db, tenantId, actors, text);

/** Returns the ids of objects whose name contains a text, and the text itself as an id. */
export const findResources = (db: Db, tenantId: string, text: string): Promise<string[]> =>
  findNamed(db, tenantId, resources, text);

async function findNamed(
  db: Db,
  tenantId: string,
  tables: readonly Named[],
  text: string,
): Promise<string[]> {
  const found = await Promise.all(
    tables.map(({ table, column }) =>
      sql<{ id: string }>`select id from ${sql.table(table)}
        where tenant_id = ${tenantId} and ${contains(column, text)}
        limit ${sql.lit(MAX_NAMED)}`.execute(db),
    ),
  );
  return [...new Set([text, ...found.flatMap(({ rows }) => rows.map(({ id }) => id))])];
}
