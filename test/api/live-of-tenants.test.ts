import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type LiveMessage, LIVE_PATH } from '#contract/live.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

describe.each(databases)('live events of two tenants, on %s', (kind) => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
  });
  afterAll(() => tenants.stop());

  /** What the console of a tenant is told from now on. */
  const listen = async ({ headers }: TwoTenants['one']) => {
    const url = tenants.urls.public.replace('http', 'ws') + LIVE_PATH;
    const socket = new WebSocket(url, { headers: headers.owner });
    const told: LiveMessage[] = [];
    socket.on('message', (data: Buffer) => {
      told.push(JSON.parse(data.toString()) as LiveMessage);
    });
    await once(socket, 'open');
    return { socket, told };
  };
  const start = async ({ byKey }: TwoTenants['one']): Promise<number> => {
    const { run_id } = await byKey.recording.startRun({ body: { agent_name: 'a' } });
    return Number(run_id);
  };

  test('is of their own runs alone', async () => {
    const one = await listen(tenants.one);
    const other = await listen(tenants.other);
    const ofOne = await start(tenants.one);
    const ofOther = await start(tenants.other);
    await vi.waitFor(() =>
      expect([one.told, other.told]).toEqual([
        [{ topic: 'runs', run_id: ofOne }],
        [{ topic: 'runs', run_id: ofOther }],
      ]),
    );
    one.socket.terminate();
    other.socket.terminate();
  });
});
