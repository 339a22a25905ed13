import { afterAll, beforeAll, expect } from 'vitest';
import type { RouteRequest } from '#contract/route.ts';
import type { subTenantRoutes } from '#contract/sub-tenants.ts';
import {
  API_KEY,
  startTestControlPlane,
  type TestClient,
  type TestControlPlane,
} from './control-plane.ts';
import type { databases } from './databases.ts';

type NewSubTenant = RouteRequest<(typeof subTenantRoutes)['createSubTenant']>['body'];

export const errorMatching = (status: number, message: RegExp | string = /./) => ({
  status,
  message: expect.stringMatching(message) as string,
});

/** Sets up a control plane whose first tenant creates sub-tenants. */
export function setUpSubTenants(kind: (typeof databases)[number]) {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind, { DEVICE_URL: 'https://*.devices.example' });
  });
  afterAll(() => service.stop());

  const createSubTenant = (body: NewSubTenant, by: TestClient = service.byKey) =>
    by.subTenants.createSubTenant({ body });
  const withKey = (key: string) => service.by({ 'X-Svc-Key': key });
  /** Creates a sub-tenant; returns it and a client with its API key. */
  const createSubTenantWithClient = async (body: NewSubTenant, by?: TestClient) => {
    const { api_key, ...tenant } = await createSubTenant(body, by);
    return { ...tenant, params: { sub_tenant_id: tenant.id }, byKey: withKey(api_key) };
  };
  const sendRequest = (method: string, path: string, body?: unknown) =>
    fetch(`${service.urls.public}/svc/v1/${path}`, {
      method,
      headers: { 'X-Svc-Key': API_KEY },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  return {
    get service() {
      return service;
    },
    createSubTenant,
    withKey,
    createSubTenantWithClient,
    sendRequest,
  };
}
