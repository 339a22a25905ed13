import { describe, expect, test } from 'vitest';
import type { TestClient } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { errorMatching, setUpEnterprise } from '../support/enterprise.ts';

describe.each(databases)('enterprise on %s', (kind) => {
  const world = setUpEnterprise(kind);
  const { subTenant } = world;

  describe('regions', () => {
    test('the catalog has codes, prices and compliance', async () => {
      const { regions } = await world.service.byKey.enterprise.listRegions();
      expect(new Set(regions.map(({ code }) => code)).size).toBe(regions.length);
      expect(regions).toContainEqual({
        code: 'eu-central',
        name: 'EU Central (Frankfurt)',
        price_cents: 4900,
        compliance: ['SOC 2', 'GDPR', 'C5'],
      });
    });

    test("a tenant has its parent's region until it chooses one", async () => {
      const parent = await subTenant('Region parent');
      const child = await subTenant('Region child', parent.byKey);
      const regionOf = async ({ byKey }: { byKey: TestClient }) =>
        (await byKey.enterprise.getTenantRegion()).region.code;
      const choose = ({ byKey }: { byKey: TestClient }, region_code: string) =>
        byKey.enterprise.setTenantRegion({ body: { region_code } });
      expect(await regionOf(child)).toBe('us-east');
      expect((await choose(parent, 'eu-west')).region).toMatchObject({ code: 'eu-west' });
      expect(await regionOf(child)).toBe('eu-west');
      await choose(child, 'uk-south');
      expect([await regionOf(parent), await regionOf(child)]).toEqual(['eu-west', 'uk-south']);
      expect(await regionOf(await subTenant('Elsewhere'))).toBe('us-east');
    });

    test('an unknown region is rejected by name', async () => {
      await expect(
        world.service.byKey.enterprise.setTenantRegion({ body: { region_code: 'mars-1' } }),
      ).rejects.toMatchObject({
        ...errorMatching(400, /^region_code: unknown region "mars-1": expected one of us-east, /),
        code: 'validation_error',
      });
    });
  });

  describe('add-ons', () => {
    const codes = ({ add_ons }: { add_ons: { code: string }[] }) => add_ons.map(({ code }) => code);
    const activate = ({ byKey }: { byKey: TestClient }, add_on_code: string) =>
      byKey.enterprise.activateAddOn({ body: { add_on_code } });
    const cancel = ({ byKey }: { byKey: TestClient }, add_on_code: string) =>
      byKey.enterprise.cancelAddOn({ params: { add_on_code } });

    test('are activated and cancelled per tenant', async () => {
      const one = await subTenant('Add-ons');
      const other = await subTenant('No add-ons');
      const { add_ons } = await one.byKey.enterprise.listAddOns();
      expect(add_ons.map(({ code, status }) => [code, status])).toEqual([
        ['sso', 'available'],
        ['audit_export', 'available'],
        ['insights', 'available'],
      ]);
      expect(codes(await activate(one, 'sso'))).toEqual(['sso']);
      expect(codes(await activate(one, 'insights'))).toEqual(['sso', 'insights']);
      expect(codes(await activate(one, 'sso'))).toEqual(['sso', 'insights']);
      expect((await one.byKey.enterprise.listAddOns()).add_ons.map(({ status }) => status)).toEqual(
        ['active', 'available', 'active'],
      );
      expect(codes(await other.byKey.enterprise.listTenantAddOns())).toEqual([]);
      expect(codes(await cancel(one, 'sso'))).toEqual(['insights']);
      await expect(cancel(one, 'sso')).rejects.toMatchObject(
        errorMatching(404, /"sso" is not active/),
      );
      expect(codes(await one.byKey.enterprise.listTenantAddOns())).toEqual(['insights']);
    });

    test('that do not exist are rejected by name', async () => {
      const one = await subTenant('Unknown add-on');
      await expect(activate(one, 'teleport')).rejects.toMatchObject(
        errorMatching(404, /^add_on_code: unknown add-on "teleport": expected one of sso, /),
      );
      await expect(cancel(one, 'teleport')).rejects.toMatchObject(
        errorMatching(404, /^add_on_code: unknown add-on "teleport": expected one of sso, /),
      );
      await expect(activate(one, '')).rejects.toMatchObject(errorMatching(404));
      await expect(activate(one, undefined as never)).rejects.toMatchObject(errorMatching(400));
    });

    test('are all active for the first tenant at the start, which can cancel and activate them', async () => {
      const all = ['sso', 'audit_export', 'insights'];
      expect(codes(await world.service.byKey.enterprise.listTenantAddOns())).toEqual(all);
      expect(codes(await activate(world.service, 'sso'))).toEqual(all);
      for (const code of all) {
        const others = all.filter((one) => one !== code);
        expect(codes(await cancel(world.service, code))).toEqual(others);
        await expect(cancel(world.service, code)).rejects.toMatchObject(errorMatching(404));
        expect(codes(await world.service.byKey.enterprise.listTenantAddOns())).toEqual(others);
        expect(codes(await activate(world.service, code))).toEqual(all);
      }
    });

    test('that are not active close their routes, also for the first tenant', async () => {
      const { enterprise, audit } = world.service.byKey;
      await cancel(world.service, 'insights');
      await expect(enterprise.listComplianceIncidents({ query: {} })).rejects.toMatchObject(
        errorMatching(403, /"insights"/),
      );
      await activate(world.service, 'insights');
      expect((await enterprise.listComplianceIncidents({ query: {} })).count).toBeTypeOf('number');
      await cancel(world.service, 'audit_export');
      await expect(audit.startAuditExport({ body: {} })).rejects.toMatchObject(
        errorMatching(403, /"audit_export"/),
      );
      // Checked before the body is read.
      const format = 'none' as 'json';
      await expect(audit.startAuditExport({ body: { format } })).rejects.toMatchObject(
        errorMatching(403, /"audit_export"/),
      );
      await activate(world.service, 'audit_export');
      expect((await audit.startAuditExport({ body: {} })).status).toBe('processing');
    });

    test('that are already active add no entry to the audit log when activated again', async () => {
      const one = await subTenant('Twice');
      await Promise.all([activate(one, 'sso'), activate(one, 'sso')]);
      const { entries } = await one.byKey.audit.listAuditEntries({
        query: { action: 'add_on.activate' },
      });
      expect(entries).toHaveLength(1);
    });
  });

  describe('the compliance console', () => {
    const incident = (tenant_id: string, at: number, more: object = {}) => ({
      tenant_id,
      id: `inc_${tenant_id}_${at}`,
      source: 'policy' as const,
      holds: 0,
      run_id: null,
      policy_id: 'pol_1',
      policy_name: 'Slow runs',
      category: 'operations',
      action: 'warn' as const,
      reason: 'Run exceeded timeout (301.0s/300s)',
      metadata: '{"timeout":300}',
      agent_name: 'a',
      workflow_name: 'default',
      status: 'open' as const,
      note: '',
      occurrences: 1,
      created_at: at,
      updated_at: at,
      last_seen_at: at,
      group_id: 'group',
      severity: 'medium' as const,
      ...more,
    });

    test('lists incidents of the tenant and all tenants below it, if insights is active', async () => {
      const parent = await subTenant('Watching');
      const child = await subTenant('Watched', parent.byKey);
      const stranger = await subTenant('Not watched');
      const rows = [
        incident(parent.id, 1000),
        incident(child.id, 3000, { status: 'resolved' }),
        incident(child.id, 2000, { category: 'budget' }),
        incident(stranger.id, 4000),
      ];
      for (const row of rows) await world.storage.db.insertInto('incidents').values(row).execute();
      const list = (query: object, { byKey }: { byKey: TestClient } = parent) =>
        byKey.enterprise.listComplianceIncidents({ query });
      await expect(list({})).rejects.toMatchObject(
        errorMatching(403, /^the add-on "insights" is not active$/),
      );
      const body = { add_on_code: 'insights' };
      await parent.byKey.enterprise.activateAddOn({ body });
      const { count, results } = await list({});
      expect([
        count,
        results.map(({ tenant_name, created_at }) => [tenant_name, created_at]),
      ]).toEqual([
        3,
        [
          ['Watched', new Date(3000).toISOString()],
          ['Watched', new Date(2000).toISOString()],
          ['Watching', new Date(1000).toISOString()],
        ],
      ]);
      expect(results[2]).toMatchObject({ tenant_id: parent.id, metadata: { timeout: 300 } });
      const found = async (query: object) => (await list(query)).results.map(({ id }) => id);
      const [own, resolved, budget] = rows.map(({ id }) => id);
      expect(await found({ status: 'resolved' })).toEqual([resolved]);
      expect(await found({ category: 'budget' })).toEqual([budget]);
      expect(await found({ sub_tenant_id: child.id })).toEqual([resolved, budget]);
      expect(await found({ limit: 1, offset: 2 })).toEqual([own]);
      const { next } = await list({ limit: 1 });
      expect(next).toMatch(/\/svc\/v1\/compliance\/incidents\/\?limit=1&offset=1$/);
      await expect(list({ sub_tenant_id: stranger.id })).rejects.toMatchObject(errorMatching(404));
      await expect(list({}, child)).rejects.toMatchObject(errorMatching(403));
      await parent.byKey.enterprise.cancelAddOn({ params: body });
      await expect(list({})).rejects.toMatchObject(errorMatching(403));
    });
  });

  test('changes are in the audit log, without secrets', async () => {
    const { id, byKey, apiKey } = await subTenant('Audited');
    await byKey.enterprise.setTenantRegion({ body: { region_code: 'eu-west' } });
    const { token } = await byKey.subUsers.issueSubUserToken({ body: { sub_user_id: 'ada' } });
    await byKey.subUsers.revokeSubUser({ params: { sub_user_id: 'ada' } });
    await byKey.enterprise.activateAddOn({ body: { add_on_code: 'sso' } });
    await byKey.enterprise.cancelAddOn({ params: { add_on_code: 'sso' } });
    const entriesOf = (column: 'tenant_id' | 'resource_id') =>
      world.storage.db
        .selectFrom('audit_entries')
        .selectAll()
        .where(column, '=', id)
        .orderBy('sequence')
        .execute();
    const own = await entriesOf('tenant_id');
    expect(own.map(({ action, resource_id }) => [action, resource_id])).toEqual([
      ['tenant.create', id],
      ['tenant.set_region', id],
      ['sub_user.issue_token', 'ada'],
      ['sub_user.revoke', 'ada'],
      ['add_on.activate', 'sso'],
      ['add_on.cancel', 'sso'],
    ]);
    const params = { sub_tenant_id: id };
    await world.service.byKey.subTenants.updateSubTenant({ params, body: { name: 'Renamed' } });
    await world.service.byKey.subTenants.suspendSubTenant({ params, body: { reason: 'why' } });
    await world.service.byKey.subTenants.resumeSubTenant({ params });
    const ofParent = (await entriesOf('resource_id')).filter(({ tenant_id }) => tenant_id !== id);
    expect(ofParent.map(({ action }) => action)).toEqual([
      'sub_tenant.create',
      'sub_tenant.update',
      'sub_tenant.suspend',
      'sub_tenant.resume',
    ]);
    expect(JSON.parse(ofParent[1]?.metadata ?? '')).toMatchObject({
      before: { name: 'Audited', status: 'active' },
      after: { name: 'Renamed', slug: 'audited' },
    });
    const written = JSON.stringify([own, ofParent]);
    for (const secret of [apiKey, token, token.split('.')[2] ?? token])
      expect(written).not.toContain(secret);
  });
});
