import { ApiError } from '#contract/errors.ts';
import type { Db } from '../storage/open.ts';
import type { LogFilter } from './log-rules.ts';
import { findActors, findResources, MAX_NAMED } from './named-queries.ts';

interface Names {
  actor?: string | undefined;
  resource?: string | undefined;
}

/**
 * The ids that parts of names stand for.
 *
 * @throws ApiError `validation_error` if a part of a name fits too many
 */
export async function namedFilter(
  db: Db,
  tenantId: string,
  { actor, resource }: Names,
): Promise<Pick<LogFilter, 'actors' | 'resources'>> {
  return {
    ...(actor && { actors: few('actor', await findActors(db, tenantId, actor)) }),
    ...(resource && { resources: few('resource', await findResources(db, tenantId, resource)) }),
  };
}

function few(name: keyof Names, ids: readonly string[]): readonly string[] {
  if (ids.length > MAX_NAMED)
    throw new ApiError(
      'validation_error',
      `${name}: more than ${MAX_NAMED} names contain this text: give more of the name`,
    );
  return ids;
}
