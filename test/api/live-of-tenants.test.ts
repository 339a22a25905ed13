import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type LiveMessage, LIVE_PATH } from '#contract/live.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

describe.each(databases)('live messages of two tenants, on %s', (kind) => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
  });
  afterAll(() => tenants.stop());

  /** Connects as the console of a tenant, and collects its live messages. */
  const listen = async ({ headers }: TwoTenants['one']) => {
    const url = tenants.urls.public.replace('http', 'ws') + LIVE_PATH;
    const socket = new WebSocket(url, { headers: headers.owner });
    const received: LiveMessage[] = [];
    socket.on('message', (data: Buffer) => {
      received.push(JSON.parse(data.toString()) as LiveMessage);
    });
    await once(socket, 'open');
    return { socket, received };
  };
  const start = async ({ byKey }: TwoTenants['one']): Promise<number> => {
    const { run_id } = await byKey.recording.startRun({ body: { agent_name: 'a' } });
    return Number(run_id);
  };

  test("concern only the tenant's own runs", async () => {
    const one = await listen(tenants.one);
    const other = await listen(tenants.other);
    const ofOne = await start(tenants.one);
    const ofOther = await start(tenants.other);
    await vi.waitFor(() =>
      expect([one.received, other.received]).toEqual([
        [{ topic: 'runs', run_id: ofOne }],
        [{ topic: 'runs', run_id: ofOther }],
      ]),
    );
    one.socket.terminate();
    other.socket.terminate();
  });
});
