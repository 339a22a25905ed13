import type { fillDevice } from './marked-device.ts';
import type { fillTenant } from './marked-tenant.ts';

export type Ids = Awaited<ReturnType<typeof fillTenant>> & Awaited<ReturnType<typeof fillDevice>>;

/**
 * `names`: the request contains ids of another tenant, which must not be found. `asks`: the request
 * contains no ids, and the response must not contain data of the other tenant. `holds`: why the
 * route has no data of any tenant.
 */
export type Case =
  | { names: (ids: Ids) => Named }
  | { asks: (ids: Ids) => { query?: Record<string, string>; body?: unknown } }
  | { holds: string };

export interface Named {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

export const OWN: Case = { asks: () => ({}) };
export const AS_FILE: Case = { asks: () => ({ query: { format: 'jsonl' } }) };
export const run = (body?: unknown): Case => ({
  names: ({ run: run_id }) => ({ params: { run_id }, body }),
});
export const ofRun: Case = { names: ({ run: id }) => ({ params: { id } }) };
export const ofPrompt = (more: Record<string, string> = {}, body?: unknown): Case => ({
  names: ({ prompt: prompt_id }) => ({ params: { prompt_id, ...more }, body }),
});
export const ofDataset = (more: Record<string, string> = {}, body?: unknown): Case => ({
  names: ({ dataset: dataset_id }) => ({ params: { dataset_id, ...more }, body }),
});
export const ofDatasetItem = (body?: unknown): Case => ({
  names: ({ dataset: dataset_id, item: item_id }) => ({ params: { dataset_id, item_id }, body }),
});
export const ofExperiment = (): Case => ({
  names: ({ dataset: dataset_id, experiment: experiment_id, item: item_id }) => ({
    params: { dataset_id, experiment_id, item_id },
  }),
});
export const ofView = (body?: unknown): Case => ({
  names: ({ view: view_id }) => ({ params: { view_id }, body }),
});
export const ofDashboard = (body?: unknown): Case => ({
  names: ({ dashboard: dashboard_id }) => ({ params: { dashboard_id }, body }),
});
export const ofQueue = (body?: unknown): Case => ({
  names: ({ queue: queue_id }) => ({ params: { queue_id }, body }),
});
/** Includes the run, which belongs to the tenant as well. */
export const ofQueueItem = (body?: unknown): Case => ({
  names: ({ queue: queue_id, run: run_id }) => ({ params: { queue_id, run_id }, body }),
});
export const ofPolicy = (more: Record<string, string> = {}, body?: unknown): Case => ({
  names: ({ policy: id }) => ({ params: { id, ...more }, body }),
});
export const ofUser = (more: Record<string, string> = {}, body?: unknown): Case => ({
  names: ({ user: id }) => ({ params: { id, ...more }, body }),
});
export const ofSub = (body?: unknown): Case => ({
  names: ({ sub: sub_tenant_id }) => ({ params: { sub_tenant_id }, body }),
});
export const ofChannel = (body?: unknown): Case => ({
  names: ({ channel: id }) => ({ params: { id }, body }),
});
export const ofNotificationRule = (body?: unknown): Case => ({
  names: ({ notificationRule: id }) => ({ params: { id }, body }),
});
export const ofApproval = (body?: unknown): Case => ({
  names: ({ approval: id }) => ({ params: { id }, body }),
});
export const ofAuthority = (body?: unknown): Case => ({
  names: ({ authority: id }) => ({ params: { id }, body }),
});
export const ofDevice = (body?: unknown): Case => ({
  names: ({ device: id }) => ({ params: { id }, body }),
});
export const condition = { type: 'listed', apps: ['*'] };
export const inventoryRule = { name: 'own', condition };
export const ofInventoryRule = (body?: unknown): Case => ({
  names: ({ inventoryRule: id }) => ({ params: { id }, body }),
});
export const CERTIFICATE: Case = { holds: 'the client certificate alone says whose device it is' };
export const SIGN_IN: Case = { holds: 'whoever signs in says by that who they are' };
