import type { createMarkedDevice } from './marked-device.ts';
import type { createMarkedResources } from './marked-tenant.ts';

export type Ids = Awaited<ReturnType<typeof createMarkedResources>> &
  Awaited<ReturnType<typeof createMarkedDevice>>;

/**
 * `withForeignIds`: the request contains ids of another tenant, which must not be found.
 * `withoutIds`: the request contains no ids, and the response must not contain data of the other
 * tenant. `noTenantData`: why the route has no data of any tenant.
 */
export type Case =
  | { withForeignIds: (ids: Ids) => IsolationRequest }
  | { withoutIds: (ids: Ids) => { query?: Record<string, string>; body?: unknown } }
  | { noTenantData: string };

export interface IsolationRequest {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

export const OWN_DATA: Case = { withoutIds: () => ({}) };
export const FILE_EXPORT: Case = { withoutIds: () => ({ query: { format: 'jsonl' } }) };
export const runIdCase = (body?: unknown): Case => ({
  withForeignIds: ({ run: run_id }) => ({ params: { run_id }, body }),
});
export const runCase: Case = { withForeignIds: ({ run: id }) => ({ params: { id } }) };
export const promptCase = (more: Record<string, string> = {}, body?: unknown): Case => ({
  withForeignIds: ({ prompt: prompt_id }) => ({ params: { prompt_id, ...more }, body }),
});
export const datasetCase = (more: Record<string, string> = {}, body?: unknown): Case => ({
  withForeignIds: ({ dataset: dataset_id }) => ({ params: { dataset_id, ...more }, body }),
});
export const datasetItemCase = (body?: unknown): Case => ({
  withForeignIds: ({ dataset: dataset_id, item: item_id }) => ({
    params: { dataset_id, item_id },
    body,
  }),
});
export const experimentCase = (): Case => ({
  withForeignIds: ({ dataset: dataset_id, experiment: experiment_id, item: item_id }) => ({
    params: { dataset_id, experiment_id, item_id },
  }),
});
export const viewCase = (body?: unknown): Case => ({
  withForeignIds: ({ view: view_id }) => ({ params: { view_id }, body }),
});
export const dashboardCase = (body?: unknown): Case => ({
  withForeignIds: ({ dashboard: dashboard_id }) => ({ params: { dashboard_id }, body }),
});
export const queueCase = (body?: unknown): Case => ({
  withForeignIds: ({ queue: queue_id }) => ({ params: { queue_id }, body }),
});
/** Includes the run, which belongs to the tenant as well. */
export const queueItemCase = (body?: unknown): Case => ({
  withForeignIds: ({ queue: queue_id, run: run_id }) => ({ params: { queue_id, run_id }, body }),
});
export const policyCase = (more: Record<string, string> = {}, body?: unknown): Case => ({
  withForeignIds: ({ policy: id }) => ({ params: { id, ...more }, body }),
});
export const userCase = (more: Record<string, string> = {}, body?: unknown): Case => ({
  withForeignIds: ({ user: id }) => ({ params: { id, ...more }, body }),
});
export const subTenantCase = (body?: unknown): Case => ({
  withForeignIds: ({ sub: sub_tenant_id }) => ({ params: { sub_tenant_id }, body }),
});
export const channelCase = (body?: unknown): Case => ({
  withForeignIds: ({ channel: id }) => ({ params: { id }, body }),
});
export const notificationRuleCase = (body?: unknown): Case => ({
  withForeignIds: ({ notificationRule: id }) => ({ params: { id }, body }),
});
export const approvalCase = (body?: unknown): Case => ({
  withForeignIds: ({ approval: id }) => ({ params: { id }, body }),
});
export const authorityCase = (body?: unknown): Case => ({
  withForeignIds: ({ authority: id }) => ({ params: { id }, body }),
});
export const deviceCase = (body?: unknown): Case => ({
  withForeignIds: ({ device: id }) => ({ params: { id }, body }),
});
export const condition = { type: 'listed', apps: ['*'] };
export const inventoryRule = { name: 'own', condition };
export const inventoryRuleCase = (body?: unknown): Case => ({
  withForeignIds: ({ inventoryRule: id }) => ({ params: { id }, body }),
});
export const BY_CERTIFICATE: Case = {
  noTenantData: 'the client certificate identifies the device',
};
export const BY_CREDENTIALS: Case = {
  noTenantData: 'the credentials in the body identify the user',
};
