import { describe, expect, test } from 'vitest';
import { chatCapture } from '../support/captured-exchange.ts';
import { OWNER } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import type { TestDevice } from '../support/device.ts';
import { setUpCapturedCalls } from '../support/captured-calls.ts';

describe.each(databases)('calls of captured exchanges on %s', (kind) => {
  const world = setUpCapturedCalls(kind);
  const { iso, send, runOf, oneRun } = world;

  describe('the agent of a captured call', () => {
    const put = (device_id: string | null, of: string | null, agent_name: string | null) =>
      world.service.byOwner.captures.putCaptureAgent({ body: { device_id, app: of, agent_name } });
    const remove = (query: { device_id?: string; app?: string }) =>
      world.service.byOwner.captures.deleteCaptureAgent({ query });
    let captures = 0;
    /** Returns the agent of a new capture; null if the capture created no run. */
    const agentOf = async (by: TestDevice, captureFields: object) => {
      captures += 1;
      const chat = chatCapture(`mapped ${captures}`, iso(10 + captures), {
        id: null,
        captureFields,
      });
      await send(by, chat);
      const { results } = await world.service.byOwner.captures.listCaptures({
        query: { device: by.id, limit: 100 },
      });
      const id = results.find(({ started_at }) => started_at === chat.started_at)?.id ?? '';
      const { run_id } = await world.service.byOwner.captures.getCapture({ params: { id } });
      return run_id === null ? null : (await runOf(run_id)).agent_name;
    };
    const codex = { app_id: 'codex-cli', process: 'node' };
    const rulesOf = async () =>
      (
        await world.service.byOwner.captures.listCaptureAgents({ query: { limit: 100 } })
      ).results.filter((rule) => rule.agent_name !== rule.app);

    test('is determined by the most specific setting, for later captures', async () => {
      expect(await agentOf(world.device, codex)).toBe('codex-cli');
      expect(await agentOf(world.device, { app_id: null, process: 'node' })).toBe('captured');
      expect(await agentOf(world.device, { app_id: 'invented', process: 'node' })).toBe('captured');
      await put(null, null, 'everyone');
      await put(null, 'codex-cli', 'coding');
      await put(world.device.id, null, 'macbook');
      await put(world.device.id, 'codex-cli', 'coding on the macbook');
      expect(await agentOf(world.device, codex)).toBe('coding on the macbook');
      expect(await agentOf(world.device, { app_id: 'cursor' })).toBe('macbook');
      expect(await agentOf(world.other, codex)).toBe('coding');
      expect(await agentOf(world.other, { app_id: 'cursor' })).toBe('everyone');
      await put(world.device.id, 'codex-cli', null);
      expect(await agentOf(world.device, codex)).toBeNull();
      await remove({ device_id: world.device.id, app: 'codex-cli' });
      expect(await agentOf(world.device, codex)).toBe('macbook');
      expect((await oneRun('coding on the macbook')).agent_name).toBe('coding on the macbook');
      const rule = { updated_by: OWNER.email, updated_at: expect.any(String) as string };
      expect(await rulesOf()).toEqual([
        { device_id: null, app: null, agent_name: 'everyone', hostname: null, ...rule },
        { device_id: null, app: 'codex-cli', agent_name: 'coding', hostname: null, ...rule },
        {
          device_id: world.device.id,
          app: null,
          agent_name: 'macbook',
          hostname: 'macbook-ada',
          ...rule,
        },
      ]);
      for (const one of [{}, { app: 'codex-cli' }, { device_id: world.device.id }])
        await remove(one);
      expect(await agentOf(world.device, codex)).toBe('codex-cli');
    });

    test('can be set only for existing devices and only by admins', async () => {
      const gone = { status: 404, message: 'there is no device dev_none' };
      await expect(put('dev_none', null, 'a')).rejects.toMatchObject(gone);
      await expect(remove({ app: 'never' })).rejects.toMatchObject({
        status: 404,
        message: 'no agent is configured for never on any device',
      });
      await expect(put(null, '', 'a')).rejects.toMatchObject({ status: 400 });
      await expect(put(null, null, '')).rejects.toMatchObject({ status: 400 });
      const user = { email: 'analyst@captured.test', password: OWNER.password };
      await world.service.byOwner.identity.createUser({
        body: { ...user, role: 'analyst', must_change_password: false },
      });
      const { token } = await world.service.by({}).identity.login({ body: user });
      const { captures: routes } = world.service.by({ Authorization: `Bearer ${token}` });
      const body = { device_id: null, app: null, agent_name: 'a' };
      expect((await routes.listCaptureAgents({ query: {} })).results).toBeInstanceOf(Array);
      expect(await rulesOf()).toEqual([]);
      await expect(routes.putCaptureAgent({ body })).rejects.toMatchObject({ status: 403 });
      await expect(routes.deleteCaptureAgent({ query: {} })).rejects.toMatchObject({ status: 403 });
    });
  });
});
