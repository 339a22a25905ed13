import { describe, expect, test } from 'vitest';
import type { Quotas } from '#contract/sub-tenants.ts';
import { databases } from '../support/databases.ts';
import { errorMatching, setUpSubTenants } from '../support/sub-tenants.ts';

const none: Quotas = { max_agents: null, max_tokens_per_day: null, max_agent_runs_per_day: null };

describe.each(databases)('sub-tenants on %s', (kind) => {
  const world = setUpSubTenants(kind);
  const { createSubTenantWithClient, sendRequest } = world;

  describe('quotas are bounded by those of the ancestors', () => {
    const family = async () => {
      const parent = await createSubTenantWithClient({
        name: 'Bounded',
        quotas: { max_agents: 10 },
      });
      const middle = await createSubTenantWithClient({ name: 'Middle' }, parent.byKey);
      const child = await createSubTenantWithClient(
        { name: 'Child', quotas: { max_agents: 8 } },
        middle.byKey,
      );
      return { parent, middle, child };
    };
    const errorOf = async (answer: Response) =>
      [answer.status, ((await answer.json()) as { error: unknown }).error] as const;
    const exceeded = (details: object) => [
      403,
      {
        code: 'quota_exceeded',
        message: expect.stringMatching(/^quotas\.max_agents: /) as string,
        details: { reason: 'quota_exceeded', field: 'max_agents', ...details },
      },
    ];

    test("a quota cannot exceed the parent's, also through a tenant without quotas", async () => {
      const { parent, middle, child } = await family();
      const quotas = { max_agents: 11 };
      for (const by of [parent, middle])
        await expect(
          createSubTenantWithClient({ name: 'More', quotas }, by.byKey),
        ).rejects.toMatchObject({
          ...errorMatching(403, /^quotas\.max_agents: 11 is more than the parent's limit of 10$/),
          code: 'quota_exceeded',
        });
      expect(
        await errorOf(await sendRequest('PATCH', `sub-tenants/${child.id}/`, { quotas })),
      ).toEqual(exceeded({ requested: 11, parent_limit: 10 }));
      expect(
        (await createSubTenantWithClient({ name: 'All', quotas: { max_agents: 10 } }, middle.byKey))
          .quotas,
      ).toEqual({ ...none, max_agents: 10 });
    });

    test('a quota cannot be lower than that of a descendant', async () => {
      const { parent, child } = await family();
      const lower = (max_agents: number) =>
        sendRequest('PATCH', `sub-tenants/${parent.id}/`, { quotas: { max_agents } });
      expect(await errorOf(await lower(7))).toEqual([
        403,
        {
          code: 'quota_exceeded',
          message: `quotas.max_agents: 7 is less than the 8 of the sub-tenant ${child.id}`,
          details: {
            reason: 'quota_exceeded',
            field: 'max_agents',
            requested: 7,
            parent_limit: 7,
            sub_tenant_id: child.id,
            sub_tenant_quota: 8,
          },
        },
      ]);
      expect((await lower(8)).status).toBe(200);
      const { limits } = await world.service.byKey.subTenants.getSubTenant({
        params: child.params,
      });
      expect(limits).toEqual({ ...none, max_agents: 8 });
    });

    test('raising a child while its parent is lowered never leaves it above the parent', async () => {
      const { parent, child } = await family();
      await Promise.allSettled([
        sendRequest('PATCH', `sub-tenants/${parent.id}/`, { quotas: { max_agents: 8 } }),
        sendRequest('PATCH', `sub-tenants/${child.id}/`, { quotas: { max_agents: 10 } }),
      ]);
      const read = async ({ params }: { params: { sub_tenant_id: string } }) =>
        (await world.service.byKey.subTenants.getSubTenant({ params })).quotas.max_agents ??
        Infinity;
      expect(await read(child)).toBeLessThanOrEqual(await read(parent));
    });
  });
});
