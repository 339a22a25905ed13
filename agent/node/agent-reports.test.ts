import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { flowOf } from './testing/flow.ts';
import { enrolled, setUpAgent, until } from './testing/set-up-agent.ts';

const world = setUpAgent();

describe('reports', () => {
  const received = (): string[] => [...world.plane.batches.values()].flat().map(({ id }) => id);

  test('a control plane that is unavailable for a while gets every report exactly once', async () => {
    const agent = await world.place.start();
    await enrolled(agent);
    const ids = Array.from({ length: 60 }, (_, i) => `flow-${String(i).padStart(3, '0')}`);
    ids.slice(0, 20).forEach((id) => world.place.observe(flowOf(id)));
    await until(() => expect(received()).toHaveLength(20));
    // Waits until the agent has the response, without which it would send the same reports again.
    await until(() => expect(agent.status().counts).toMatchObject({ queued: 0, reported: 20 }));

    await world.plane.stop();
    ids.slice(20, 40).forEach((id) => world.place.observe(flowOf(id)));
    await until(() =>
      expect(agent.status().problems).toContain(
        `control plane: cannot reach ${new URL(world.plane.url()).host}: ECONNREFUSED`,
      ),
    );
    expect(agent.status().counts.queued).toBe(20);
    ids.slice(40).forEach((id) => world.place.observe(flowOf(id)));

    await world.plane.start();
    await until(() => expect(received().sort()).toEqual(ids));
    await enrolled(agent);
    await until(() => expect(agent.status().counts).toMatchObject({ queued: 0, reported: 60 }));
    await until(() => expect(agent.status().problems).toEqual([]));
  });

  test('a batch whose response was lost is sent again as the same batch', async () => {
    world.plane.losesResponse = (route) =>
      route === 'reportFlows' && world.plane.calls.reportFlows < 3;
    const agent = await world.place.start();
    await enrolled(agent);
    world.place.observe(flowOf('a'));
    await until(() => expect(agent.status().counts).toMatchObject({ queued: 0, reported: 1 }));
    expect(world.plane.calls.reportFlows).toBeGreaterThan(2);
    expect(received()).toEqual(['a']);
  });

  test.each([400, 413])(
    'a batch refused with %i is set aside and does not block others',
    async (status) => {
      world.plane.refuse = (route) =>
        route === 'reportFlows' && world.plane.calls.reportFlows === 1
          ? { status, message: 'poison' }
          : null;
      const agent = await world.place.start();
      await enrolled(agent);
      world.place.observe(flowOf('a'));
      await until(() => expect(world.plane.calls.reportFlows).toBe(1));
      world.place.observe(flowOf('b'));
      await until(() => expect(received()).toEqual(['b']));
      const spooled = (): string[] => readdirSync(join(world.place.stateDir, 'spool'));
      await until(() => expect(spooled()).toHaveLength(1));
      expect(spooled()[0]).toMatch(/\.rejected$/);
      expect(agent.status().counts).toMatchObject({ queued: 0, dropped: 1 });
      await until(() =>
        expect(world.plane.heartbeats.flatMap(({ not_observed = [] }) => not_observed)).toEqual([
          { reason: 'dropped', started_at: expect.any(Number), ended_at: expect.any(Number) },
        ]),
      );
      expect(world.place.lines.filter((line) => line.includes('refused with'))).toHaveLength(1);
    },
  );

  const poisons: [number, (ids: string[]) => boolean][] = [
    [400, (ids) => ids.includes('e')],
    [500, (ids) => ids.includes('e')],
    [500, (ids) => ids.includes('a') || ids.includes('h')],
  ];
  test.each(poisons)(
    'from a batch that gets %i, only the invalid reports are lost, and counted',
    async (status, isPoison) => {
      const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      world.plane.refuse = (route, _, text) => {
        const ids = [...text.matchAll(/"id":"(\w)"/g)].map(([, id]) => id ?? '');
        return route === 'reportFlows' && isPoison(ids) ? { status, message: 'poison' } : null;
      };
      const agent = await world.place.start();
      await enrolled(agent);
      all.forEach((id) => world.place.observe(flowOf(id)));
      await until(() => expect(agent.status().counts.queued).toBe(0));
      world.place.observe(flowOf('z'));
      const taken = [...all.filter((id) => !isPoison([id])), 'z'];
      await until(() => expect(received()).toEqual(taken));
      expect(agent.status().counts.dropped).toBe(9 - taken.length);
      expect(
        world.place.lines.filter((line) => line.includes(`refused with ${status}`)),
      ).toHaveLength(9 - taken.length);
    },
  );

  test('an outage of the whole control plane costs no report', async () => {
    const agent = await world.place.start();
    await enrolled(agent);
    world.plane.refuse = () => ({ status: 500, message: 'no database' });
    ['a', 'b'].forEach((id) => world.place.observe(flowOf(id)));
    await until(() => expect(world.plane.calls.reportFlows).toBeGreaterThan(12));
    world.plane.refuse = () => null;
    await until(() => expect(received()).toEqual(['a', 'b']));
    expect([world.plane.batches.size, agent.status().counts.dropped]).toEqual([1, 0]);
  });

  test('reports that were not sent before a stop are sent after the next start', async () => {
    const first = await world.place.start();
    await enrolled(first);
    await world.plane.stop();
    world.place.observe(flowOf('a'));
    await first.stop();
    await world.plane.start();
    await enrolled(await world.place.start());
    await until(() => expect(received()).toEqual(['a']));
  });

  test('the status shows the latest flows, as plain data without secrets', async () => {
    const agent = await world.place.start();
    await enrolled(agent);
    const heard: number[] = [];
    const forget = agent.onStatus((status) => void heard.push(status.recent_flows.length));
    world.place.observe(flowOf('a'));
    world.place.observe(flowOf('b'));
    world.place.observe(flowOf('a', { ended_at: 1_800_000_000_500 }));
    await until(() => expect(heard).toContain(2));
    forget();
    const status = agent.status();
    expect(status.recent_flows.map(({ id, ended_at }) => [id, ended_at])).toEqual([
      ['a', 1_800_000_000_500],
      ['b', null],
    ]);
    expect(JSON.parse(JSON.stringify(status))).toEqual(status);
    expect(JSON.stringify(status)).not.toMatch(/PRIVATE KEY|svc_sk/);
  });
});
