import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import type { KeyCaller, SessionCaller } from '../http/caller.ts';
import type { Tx } from '../storage/transaction.ts';
import { appendEntry, type NewEntry } from './queries.ts';
import { withoutSecrets } from './secret-members.ts';

/** A change made by an administrator or by a program. */
export interface Change {
  /** The resource type and action, such as `policy.create`. */
  action: string;
  resource_type: string;
  resource_id: string;
  /**
   * The resource before and after the change, in the form of the API. The former is omitted for
   * creations, the latter for deletions.
   */
  before?: unknown;
  after?: unknown;
  /** Additional information. */
  metadata?: Readonly<Record<string, unknown>>;
}

interface AdminRequest {
  caller: KeyCaller | SessionCaller;
  address: string;
}

/**
 * Runs an administrative write and its audit entries in one transaction, so that neither is stored
 * without the other. Entries passed to `audit` are written when the work is done, which keeps the
 * lock on the log short and prevents deadlocks between changes.
 */
export function withAudit<T>(
  context: Context,
  request: AdminRequest,
  work: (tx: Tx, audit: (change: Change) => void) => Promise<T> | T,
): Promise<T> {
  const { tenantId } = request.caller;
  const actor = { ...actorOf(request.caller), ip: request.address };
  return context.storage.transaction(async (tx) => {
    const entries: NewEntry[] = [];
    const result = await work(tx, (change) => {
      entries.push(entryOf(context, tenantId, actor, change));
    });
    for (const entry of entries) await appendEntry(tx, context.secrets.auditKey, entry);
    return result;
  });
}

interface Named {
  /** The type of the resource, in words. */
  what: string;
  name: string;
}

/**
 * Does the same as `withAudit` for a resource with a unique name.
 *
 * @throws ApiError `already_exists` if the name is taken
 */
export async function withUniqueName<T>(
  context: Context,
  request: AdminRequest,
  { what, name }: Named,
  work: Parameters<typeof withAudit<T>>[2],
): Promise<T> {
  try {
    return await withAudit(context, request, work);
  } catch (error) {
    if (!context.storage.isUnique(error)) throw error;
    throw new ApiError('already_exists', `name: another ${what} is named "${name}"`);
  }
}

export interface Actor {
  actor_type: 'user' | 'agent' | 'system';
  actor_id: string;
  ip: string | null;
}

type AppendEntry = Pick<Context, 'secrets' | 'now' | 'newId'>;

/**
 * Audits a change that was made outside of a request, or before sign-in. It locks the tenant's log
 * until the transaction ends, so it must be called last.
 */
export const writeAudit = (
  tx: Tx,
  context: AppendEntry,
  tenantId: string,
  actor: Actor,
  change: Change,
): Promise<void> =>
  appendEntry(tx, context.secrets.auditKey, entryOf(context, tenantId, actor, change));

function entryOf(context: AppendEntry, tenant_id: string, actor: Actor, change: Change): NewEntry {
  const { action, resource_type, resource_id, before, after, metadata } = change;
  return {
    tenant_id,
    id: context.newId('aud'),
    ...actor,
    action,
    resource_type,
    resource_id,
    metadata: JSON.stringify(withoutSecrets({ ...metadata, before, after })),
    created_at: context.now(),
  };
}

/**
 * Returns the actor. The log distinguishes people from programs, and an API key acts as an agent.
 */
const actorOf = (caller: KeyCaller | SessionCaller): Omit<Actor, 'ip'> =>
  'userId' in caller
    ? { actor_type: 'user', actor_id: caller.userId }
    : { actor_type: 'agent', actor_id: caller.keyId };
