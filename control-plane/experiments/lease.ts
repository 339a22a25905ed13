import type { Context } from '../context.ts';
import { runEvery } from '../lib/background-job.ts';
import { isSuspended } from '../tenants/authorize.ts';
import { changeLeased, type Lease } from './run-queries.ts';

/** The time after which a process that has not renewed its lease is considered dead. */
export const LEASE_MS = 15_000;
/** The delay until a suspended tenant is checked again, since it may be resumed at any time. */
const SUSPENDED_MS = 30_000;

/**
 * Renews a lease until the returned function is called, and aborts `lost` once this process must no
 * longer run the experiment: it was cancelled or deleted, its tenant is suspended, or another
 * process has taken over. Changes are noticed by their signal, or at the next renewal.
 */
export function keepLease(
  context: Context,
  lease: Lease,
  lost: AbortController,
): () => Promise<void> {
  const { storage, log } = context;
  return runEvery(
    async () => {
      if (await isSuspended(context, lease.tenant_id)) {
        lost.abort();
        await postpone(context, lease);
      } else if (!(await renew(context, lease))) lost.abort();
    },
    {
      everyMs: LEASE_MS / 3,
      onError: (err) => log.error({ err }, `renewing the lease of experiment ${lease.id} failed`),
      trigger: (wake) =>
        storage.signals.subscribe(({ tenant_id, topic }) => {
          const isOfTenant = tenant_id === lease.tenant_id;
          if (topic === 'tenants' || (topic === 'experiments' && isOfTenant)) wake();
        }),
    },
  );
}

function renew(context: Context, lease: Lease): Promise<boolean> {
  const lease_until = context.now() + LEASE_MS;
  return context.storage.transaction((tx) => changeLeased(tx, lease, { lease_until }));
}

/** Postpones the experiment for a while. */
export async function postpone(context: Context, lease: Lease): Promise<void> {
  const lease_until = context.now() + SUSPENDED_MS;
  await context.storage.transaction((tx) => changeLeased(tx, lease, { lease_until }));
}
