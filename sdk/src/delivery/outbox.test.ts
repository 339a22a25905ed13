import { expect, test } from 'vitest';
import { endpointOf, observerOf, startLocalServer } from '#test/sdk/local-server.ts';
import { PATIENCE_MS } from '#test/support/time-limits.ts';
import { readSettings } from '../config.ts';
import { createOutbox } from './outbox.ts';
import type { Send } from './request.ts';

const settings = readSettings({ apiKey: 'svc_sk_test', baseUrl: 'http://127.0.0.1:1' }, {});

test('delivered records free capacity, in number and in bytes', async () => {
  const problems: string[] = [];
  const report = { problem: (_code: string, line: string) => problems.push(line), debug: () => {} };
  const send: Send = () => Promise.resolve({ kind: 'ok', body: { run_id: '1' } });
  const outbox = createOutbox({ ...settings, maxQueue: 2 }, send, report);
  // 20 records of 7 MB are more than twice the capacity.
  const inputs = { text: 'x'.repeat(7_000_000) };
  for (let i = 0; i < 20; i += 1) {
    const queue = outbox.startRun({ agent_name: 'a', inputs });
    if (queue) outbox.add(queue, 'steps', { step_name: 's' });
    expect(await outbox.flush(PATIENCE_MS)).toBe(true);
  }
  expect([problems, outbox.stats()]).toEqual([[], { queued: 0, delivered: 40, dropped: 0 }]);
  outbox.close();
});

test('a 404 for events without a run drops only these events', async () => {
  const server = await startLocalServer();
  const { observer, problems } = observerOf(server);
  let refused = 0;
  server.behave = (request) => {
    if (endpointOf(request) !== 'events' || refused > 0) return undefined;
    refused += 1;
    return { status: 404, body: { error: 'there is no POST here' } };
  };
  observer.recordEvent({ event_type: 'first' });
  await observer.flush();
  expect(problems.map(({ code }) => code)).toEqual(['refused']);
  observer.recordEvent({ event_type: 'second' });
  expect(await observer.shutdown()).toBe(true);
  expect(server.accepted.map(({ body }) => body)).toMatchObject([
    { events: [{ event_type: 'second' }] },
  ]);
  expect(observer.stats()).toEqual({ queued: 0, delivered: 1, dropped: 1 });
  await server.goAway();
});
