import { expect, test, vi } from 'vitest';
import { captureOf } from '../testing/control-plane.ts';
import { HOST, QUESTION, SECRET, setUpCapture } from './testing/capture-world.ts';

const world = setUpCapture();

test('while the user has paused capture, nothing is captured, blocking continues, and the pause is reported', async () => {
  await world.serve((_, __, response) => response.end('{}'));
  const origins = { pause_minutes: { source: 'global' as const, set_at: null } };
  world.plane.config = {
    ...captureOf(2, HOST),
    pause_minutes: 30,
    origins,
    blocked_hosts: ['x.example'],
  };
  const agent = await world.computer.start({ openListeners: world.openListeners });
  await vi.waitFor(() => expect(world.hosts).toEqual([HOST, 'x.example']));
  expect(agent.pause()).toBe(true);
  await vi.waitFor(() => expect(world.hosts).toEqual(['x.example']));
  expect((await world.sendRequest('/v1/chat/completions', QUESTION)).issuer).toBe('World');
  await vi.waitFor(() =>
    expect(world.plane.heartbeats.at(-1)?.pauses).toMatchObject([{ ended_at: null }]),
  );
  expect(agent.status().pause.until).toBeGreaterThan(Date.now());

  agent.resume();
  await vi.waitFor(() => expect(world.hosts).toEqual([HOST, 'x.example']));
  expect((await world.sendRequest('/v1/chat/completions', QUESTION)).issuer).toBe('dev_1 capture');
  await vi.waitFor(() => expect(world.plane.captures).toHaveLength(1));
  const reported = () => world.plane.heartbeats.flatMap(({ pauses }) => pauses ?? []);
  await vi.waitFor(() => expect(reported().at(-1)).toMatchObject({ ended_by: 'person' }));
  await vi.waitFor(() => expect(agent.status().exchanges).toHaveLength(1));
  const [sent] = agent.status().exchanges;
  expect(sent?.redactions).toEqual({ EMAIL: 1, API_KEY: 1 });
  const uploaded = agent.exchange(sent?.id ?? '');
  expect(uploaded?.request_body).toBe(world.plane.captures[0]?.request_body);
  expect(JSON.stringify(uploaded)).not.toContain(SECRET.slice(20));
  await vi.waitFor(() => expect(agent.status().sent_today).toMatchObject({ captures: 1 }));
  expect(agent.status().sent_today.bytes).toBeGreaterThan(1000);
});

test('no pause is sent to a control plane that sends no origins', async () => {
  await world.serve((_, __, response) => response.end('{}'));
  world.plane.config = { ...captureOf(2, HOST), pause_minutes: 30 };
  const agent = await world.computer.start({ openListeners: world.openListeners });
  await vi.waitFor(() => expect(world.hosts).toEqual([HOST]));
  expect(agent.pause()).toBe(true);
  const beats = world.plane.heartbeats.length;
  await vi.waitFor(() => expect(world.plane.heartbeats.length).toBeGreaterThan(beats + 1));
  expect(world.plane.heartbeats.some(({ pauses }) => pauses !== undefined)).toBe(false);
});
