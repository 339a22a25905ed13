import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const at = Date.parse('2026-03-01T10:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();

describe.each(databases)('events on %s', (kind) => {
  let service: TwoTenants;
  let agents = 0;
  beforeAll(async () => {
    service = await startTwoTenants(kind);
  });
  afterAll(() => service.stop());

  const newAgent = (): string => `agent ${(agents += 1)}`;
  const record = (...events: Record<string, unknown>[]) =>
    service.one.byKey.events.recordEvents({ body: { events } });
  const list = (query: object) => service.one.byOwner.events.listEvents({ query });
  const notes = async (query: object) => (await list(query)).results.map(({ body }) => body?.note);

  test('events of any structure are stored as sent and listed newest first', async () => {
    service.setTime(at);
    const agent_name = newAgent();
    const sent = [
      {
        event_type: 'policy_check',
        agent_name,
        action: 'allow',
        reason: 'within limits',
        timestamp: '2026-02-28T10:00:00+01:00',
        duration_ms: 1.5,
      },
      {
        event: 'manual_override',
        agent_name,
        operator: 'ada',
        metadata: { deep: [1, { ü: null }] },
      },
      { agent_name, run_id: '12', timestamp: 'no date' },
    ];
    expect(await record(...sent)).toEqual({ status: 'ok', count: 3 });
    service.setTime(undefined);
    const none = { event_type: null, action: null, operator: null, reason: null, run_id: null };
    const expected = [
      { ...none, run_id: 12, occurred_at: iso(at) },
      { ...none, event_type: 'manual_override', operator: 'ada', occurred_at: iso(at) },
      {
        ...none,
        event_type: 'policy_check',
        action: 'allow',
        reason: 'within limits',
        occurred_at: '2026-02-28T09:00:00.000Z',
      },
    ].map((fields, index) => ({
      ...fields,
      id: expect.any(Number) as number,
      agent_name,
      created_at: iso(at),
      body: sent[2 - index],
      truncated: false,
    }));
    expect(await list({ agent: agent_name })).toEqual({
      results: expected,
      count: 3,
      count_exact: true,
      next: null,
      previous: null,
    });
  });

  test('events are found by type, agent, run and time', async () => {
    const [agent_name, other] = [newAgent(), newAgent()];
    const timestamp = (hour: number) => `2026-01-01T0${hour}:00:00Z`;
    await record(
      { agent_name, event_type: 'a', note: 1, timestamp: timestamp(1), run_id: 7001 },
      { agent_name, event_type: 'b', note: 2, timestamp: timestamp(3) },
      { agent_name, event: 'a', note: 3, timestamp: timestamp(2) },
      { agent_name: other, event_type: 'a', note: 4, timestamp: timestamp(2), run_id: '7001' },
    );
    const agent = agent_name;
    expect([
      await notes({ agent }),
      await notes({ agent, event_type: 'a' }),
      await notes({ agent, start: timestamp(2) }),
      await notes({ agent, end: timestamp(2) }),
      await notes({ agent, start: timestamp(2), end: timestamp(3) }),
      await notes({ run_id: '7001' }),
      await notes({ agent: 'unknown-agent' }),
      await notes({ agent, event_type: '', search: '' }),
      await notes({ agent: '', run_id: '7001' }),
    ]).toEqual([[2, 3, 1], [3, 1], [2, 3], [1], [3], [4, 1], [], [2, 3, 1], [4, 1]]);
  });

  test.each([
    ['a%b', ['a%b']],
    ['A%B', ['a%b']],
    ['c_', ['c_d']],
    ['say "hi"', ['say "hi" \\ \n there']],
    ['\\ \n', ['say "hi" \\ \n there']],
    ["' or 1=1 --", []],
    ['*', []],
    ['ÜBER', ['ÜBER']],
    ['über', ['ÜBER']],
    ['ΜΈΓΑ', ['μέγα Юля']],
    ['юЛЯ', ['μέγα Юля']],
    ['🐘', ['🐘']],
  ])('a search for %j matches exactly that text', async (search, expected) => {
    const agent_name = newAgent();
    const texts = ['a%b', 'axb', 'c_d', 'cxd', 'say "hi" \\ \n there', 'ÜBER', '🐘', 'μέγα Юля'];
    await record(...texts.map((note) => ({ agent_name, note })));
    expect(await notes({ agent: agent_name, search })).toEqual(expected);
  });

  test('pages show each event once and in order, whatever their times', async () => {
    const events = fc.array(
      fc.record({ timestamp: fc.constantFrom(1_767_225_600, 1_767_225_601, 1_767_225_602, 'x') }),
      { minLength: 1, maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(events, fc.integer({ min: 1, max: 7 }), async (sent, limit) => {
        const agent_name = newAgent();
        await record(...sent.map((event, note) => ({ ...event, agent_name, note })));
        const seen: { note: unknown; time: number; id: number }[] = [];
        for (let offset = 0; ; offset += limit) {
          const page = await list({ agent: agent_name, limit, offset });
          expect(page.count).toBe(sent.length);
          for (const { body, occurred_at, id } of page.results)
            seen.push({ note: body?.note, time: Date.parse(occurred_at), id });
          if (!page.next) break;
        }
        expect(new Set(seen.map(({ note }) => note)).size).toBe(sent.length);
        expect(seen).toEqual(seen.toSorted((a, b) => b.time - a.time || b.id - a.id));
      }),
      { numRuns: 15 },
    );
  });

  test.each<[string, unknown]>([
    ['events', {}],
    ['events', { events: {} }],
    ['events[1]: ', { events: [{}, 'x'] }],
    ['events[0]: ', { events: [null] }],
    ['events[2]: ', { events: [{}, {}, [1]] }],
    ['events', { events: Array.from({ length: 1001 }, () => ({})) }],
    ['events[0].a: contains a NUL character', { events: [{ a: '\0' }] }],
  ])('events are rejected for %j, and none is stored', async (place, body) => {
    const before = (await list({})).count;
    const refused = service.one.byKey.events.recordEvents({ body: body as { events: [] } });
    await expect(refused).rejects.toMatchObject({ status: 400 });
    await expect(refused).rejects.toThrow(place);
    expect((await list({})).count).toBe(before);
  });

  test('up to a thousand events per request are accepted, also none', async () => {
    const agent_name = newAgent();
    expect(await record(...Array.from({ length: 1000 }, () => ({ agent_name })))).toEqual({
      status: 'ok',
      count: 1000,
    });
    expect(await record()).toEqual({ status: 'ok', count: 0 });
    expect((await list({ agent: agent_name, limit: 1 })).count).toBe(1000);
  });

  test.each([{ start: 'x' }, { end: '2026-13-01' }, { run_id: 'x' }, { search: 'x'.repeat(201) }])(
    'a list is rejected for %j',
    async (query) => {
      await expect(list(query)).rejects.toMatchObject({ status: 400 });
      await expect(list(query)).rejects.toThrow(Object.keys(query)[0]);
    },
  );

  const setMasking = (keys: { key: string; type: string }[], enabled = true) =>
    service.one.byOwner.settings.putRecordingSettings({
      body: { retention_days: null, masking: { enabled, builtin: ['EMAIL'], keys, patterns: [] } },
    });

  test('events are masked before they are stored, and keep their time', async () => {
    const agent_name = newAgent();
    await setMasking([{ key: 'timestamp', type: 'TIME' }]);
    const timestamp = '2026-01-01T00:00:00Z';
    await record({ agent_name, timestamp, operator: 'ada@example.com', to: ['bo@example.com'] });
    await setMasking([], false);
    expect((await list({ agent: agent_name })).results).toMatchObject([
      {
        operator: '##EMAIL##',
        occurred_at: '2026-01-01T00:00:00.000Z',
        body: { timestamp: '##TIME##', operator: '##EMAIL##', to: ['##EMAIL##'] },
      },
    ]);
  });

  test('a tenant sees no events of another', async () => {
    const agent_name = newAgent();
    await record({ agent_name });
    const { byKey, byOwner } = service.other;
    expect((await byOwner.events.listEvents({ query: {} })).count).toBe(0);
    await byKey.events.recordEvents({ body: { events: [{ agent_name }] } });
    expect((await list({ agent: agent_name })).count).toBe(1);
  });
});
