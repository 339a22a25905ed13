import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#contract/index.ts';
import type { Route } from '#contract/route.ts';
import { databases } from '../support/databases.ts';
import type { Ids, IsolationRequest } from '../support/isolation-case.ts';
import { isolationCases } from '../support/isolation-cases.ts';
import { createMarkedDevice } from '../support/marked-device.ts';
import { createMarkedResources, TENANT_MARKER } from '../support/marked-tenant.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const routes = Object.entries(contract).flatMap(([group, of]) =>
  Object.entries(of).map(([name, route]): [string, Route] => [`${group}.${name}`, route]),
);

test('every route of the contract has a case', () => {
  expect(Object.keys(isolationCases).toSorted()).toEqual(routes.map(([name]) => name).toSorted());
});

describe.each(databases)('another tenant on %s', (kind) => {
  let tenants: TwoTenants;
  let ids: Ids;
  beforeAll(async () => {
    // No server listens at this address, so experiments fail and are stored.
    tenants = await startTwoTenants(kind, { LLM_BASE_URL: 'http://127.0.0.1:9/v1' });
    const { one, urls } = tenants;
    ids = {
      ...(await createMarkedResources(one)),
      ...(await createMarkedDevice({ ...one, urls })),
    };
  });
  afterAll(() => tenants.stop());

  /** Sends a request as the tenant's owner, or with its key if the route requires one. */
  const sendRequest = (
    who: 'one' | 'other',
    route: Route,
    { params = {}, query = {}, body }: IsolationRequest,
  ) => {
    const { key, owner } = tenants[who].headers;
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
    return fetch(`${tenants.urls.public}${path}?${new URLSearchParams(query).toString()}`, {
      method: route.method,
      headers: {
        ...(route.auth === 'session' ? owner : key),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  const tried = routes.map(
    ([name, route]) => [name, route, isolationCases[name] ?? { noTenantData: '' }] as const,
  );

  test.each(tried.filter(([, , one]) => 'withForeignIds' in one))(
    '%s: ids of another tenant are not found',
    async (_name, route, one) => {
      const named = 'withForeignIds' in one ? one.withForeignIds(ids) : {};
      const response = await sendRequest('other', route, named);
      expect([response.status, await response.text()]).toEqual([404, expect.any(String)]);
      expect(response.headers.get('x-error-reason')).toBe('not_found');
    },
  );

  test.each(tried.filter(([, , one]) => 'withoutIds' in one))(
    '%s: the response contains no data of another tenant',
    async (_name, route, one) => {
      const response = await sendRequest(
        'other',
        route,
        'withoutIds' in one ? one.withoutIds(ids) : {},
      );
      const text = await response.text();
      expect([response.status < 300, text]).toEqual([
        true,
        expect.not.stringContaining(TENANT_MARKER),
      ]);
    },
  );

  test.each([
    'runs.exportRuns',
    'llmCalls.exportLlmCalls',
    'scores.exportScores',
    'analytics.exportSessions',
    'analytics.exportTrackedUsers',
    'incidents.exportIncidents',
    'listViews.listViews',
    'datasets.listDatasets',
    'analytics.queryAnalytics',
    'dashboards.listDashboards',
    'annotationQueues.listAnnotationQueues',
    'devices.listDevices',
    'devices.exportDevices',
    'inventory.listApps',
    'inventory.exportApps',
    'inventory.exportAppGroups',
    'flows.listFlows',
    'flows.groupFlows',
    'flows.exportFlows',
    'inventory.listAppGroups',
    'inventoryRules.listInventoryRules',
    'inventoryRules.previewInventoryRule',
    'captures.listCaptures',
    'captures.exportCaptures',
    'captures.listCaptureAgents',
    'guard.listLayers',
    'guard.listGuardHistory',
    'notifications.listChannels',
    'notifications.listNotificationRules',
    'notifications.listDeliveries',
    'guard.resolveGuard',
  ])("%s: the response contains the tenant's own data", async (name) => {
    const [, route, one] = tried.find(([other]) => other === name) ?? [];
    if (!route || !one || !('withoutIds' in one)) throw new Error(`no case calls ${name}`);
    expect(await (await sendRequest('one', route, one.withoutIds(ids))).text()).toContain(
      TENANT_MARKER,
    );
  });

  test('all data is still available to its own tenant', async () => {
    const readable = tried.filter(
      ([, route, one]) => 'withForeignIds' in one && route.method === 'GET',
    );
    const statuses: [string, number][] = [];
    for (const [name, route, one] of readable) {
      const response = await sendRequest(
        'one',
        route,
        'withForeignIds' in one ? one.withForeignIds(ids) : {},
      );
      statuses.push([name, response.status]);
    }
    expect(statuses).toEqual(readable.map(([name]) => [name, 200]));
    const [policy, approval] = await Promise.all([
      tenants.one.byKey.policies.getPolicy({ params: { id: ids.policy } }),
      tenants.one.byKey.approvals.getApproval({ params: { id: ids.approval } }),
    ]);
    expect([policy.enabled, policy.version, approval.status]).toEqual([true, 1, 'pending']);
  });
});
