import type { Context } from '../context.ts';
import type { KeyCaller, SessionCaller } from '../http/caller.ts';
import type { Trx } from '../storage/open.ts';
import { appendEntry, type NewEntry } from './queries.ts';
import { withoutSecrets } from './secrets.ts';

/** What an administrator, or a program in their place, changed. */
export interface Change {
  /** The resource and what was done to it: `policy.create`. */
  action: string;
  resource_type: string;
  resource_id: string;
  /** The resource before and after, as the API shows it; left out where there was or is none. */
  before?: unknown;
  after?: unknown;
  /** Whatever else is to be known. */
  metadata?: Readonly<Record<string, unknown>>;
}

interface AdminCall {
  caller: KeyCaller | SessionCaller;
  address: string;
}

/**
 * Does an administrative write in one transaction, with what the audit log tells of it: neither is
 * there without the other. What `audit` is told is written when the work is done, so that changes
 * wait for each other as briefly as can be, and never two of them for one another.
 */
export function withAudit<T>(
  context: Context,
  call: AdminCall,
  work: (trx: Trx, audit: (change: Change) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { tenantId } = call.caller;
  const actor = { ...actorOf(call.caller), ip: call.address };
  return context.storage.db.transaction().execute(async (trx) => {
    const told: NewEntry[] = [];
    const result = await work(trx, (change) => {
      told.push(entryOf(context, tenantId, actor, change));
      return Promise.resolve();
    });
    for (const entry of told)
      await appendEntry(context.storage, trx, context.secrets.auditKey, entry);
    return result;
  });
}

export interface Actor {
  actor_type: 'user' | 'agent' | 'system';
  actor_id: string;
  ip: string | null;
}

type AppendEntry = Pick<Context, 'storage' | 'secrets' | 'now' | 'newId'>;

/**
 * For what is done outside a request, or by somebody who is not signed in yet. The tenant's other
 * changes wait until the transaction ends: do this last in it.
 */
export const writeAudit = (
  context: AppendEntry,
  trx: Trx,
  tenantId: string,
  actor: Actor,
  change: Change,
): Promise<void> =>
  appendEntry(
    context.storage,
    trx,
    context.secrets.auditKey,
    entryOf(context, tenantId, actor, change),
  );

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

/** People are told from programs: a key is an agent's. */
const actorOf = (caller: KeyCaller | SessionCaller): Omit<Actor, 'ip'> =>
  'userId' in caller
    ? { actor_type: 'user', actor_id: caller.userId }
    : { actor_type: 'agent', actor_id: caller.keyId };
