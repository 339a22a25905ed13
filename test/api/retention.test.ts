import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';

const DAY = 24 * 3_600_000;

describe.each(databases)('retention on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  async function recordOn(session_id: string, spans: number): Promise<string> {
    const { run_id } = await service.byKey.recording.startRun({
      body: { agent_name: 'a', session_id, user_id: 'u' },
    });
    const params = { run_id };
    const { recording } = service.byKey;
    const calls = Array.from({ length: 20 }, () => ({
      model: 'gpt-4o',
      tokens_in: 1000,
      tokens_out: 500,
      prompt_preview: `needle ${session_id}`,
    }));
    await recording.recordLlmCalls({ params, body: { calls } });
    for (let left = spans; left > 0; left -= 500) {
      const batch = Array.from({ length: Math.min(500, left) }, (_, i) => ({
        name: `s${i}`,
        kind: 'tool' as const,
      }));
      await recording.recordSpans({ params, body: { spans: batch } });
    }
    await recording.recordScores({ params, body: { scores: [{ name: 'q', numeric_value: 1 }] } });
    await recording.completeRun({ params, body: {} });
    return run_id;
  }

  test('a run that is still active is kept, however long ago it started', async () => {
    const now = Date.parse('2026-05-01T12:00:00Z');
    service.setTime(now - 60 * DAY);
    const { byKey, byOwner } = service;
    const start = async (agent_name: string) =>
      (await byKey.recording.startRun({ body: { agent_name } })).run_id;
    const [idle, busy] = [await start('idle'), await start('busy')];
    service.setTime(now - DAY);
    const params = { run_id: busy };
    await byKey.recording.recordSteps({ params, body: { steps: [{ step_name: 's' }] } });
    service.setTime(now);
    const { masking } = await byOwner.settings.getRecordingSettings();
    const keep = (retention_days: number | null) =>
      byOwner.settings.putRecordingSettings({ body: { retention_days, masking } });
    await keep(30);
    await pollUntil(
      () => byOwner.runs.listRuns({ query: { agent: 'idle' } }),
      ({ count }) => count === 0,
    );
    await expect(byOwner.runs.getRun({ params: { id: idle } })).rejects.toThrow('no run');
    expect((await byOwner.runs.getRun({ params: { id: busy } })).status).toBe('running');
    await byKey.recording.completeRun({ params, body: {} });
    await keep(29);
    await pollUntil(
      () => byOwner.runs.listRuns({ query: { agent: 'busy' } }),
      ({ count }) => count === 0,
    );
    await keep(null);
  });

  test('memory that was not written within the retention period is deleted, newer memory is kept', async () => {
    const now = Date.parse('2026-04-01T12:00:00Z');
    const { byKey, byOwner } = service;
    const { masking } = await byOwner.settings.getRecordingSettings();
    const keep = (retention_days: number | null) =>
      byOwner.settings.putRecordingSettings({ body: { retention_days, masking } });
    const scope_key = 'a:u';
    const begin = async () =>
      (await byKey.recording.startRun({ body: { agent_name: 'remembers' } })).run_id;
    const write = (run_id: string, slot_name: string, more: object = {}) =>
      byKey.memory.writeEpisodic({
        params: { run_id },
        body: { slot_name, scope_key, data: slot_name, ...more },
      });
    const learn = (run_id: string, slot_name: string) =>
      byKey.memory.writeSemantic({
        params: { run_id },
        body: {
          slot_name,
          scope_key,
          content: slot_name,
          content_embedding: Array.from({ length: 1536 }, () => 1),
        },
      });
    const left = async () => {
      const { results } = await byKey.memory.readMemory({ query: { scope_key, limit: 500 } });
      return results.map(({ slot_name }) => slot_name).sort();
    };
    service.setTime(now - 60 * DAY);
    const old = await begin();
    await byKey.recording.completeRun({ params: { run_id: old }, body: {} });
    await learn(old, 'old fact');
    for (const name of ['old', 'written again']) await write(old, name);
    await write(old, 'old list', {
      memory_type: 'list',
      data: Array.from({ length: 600 }, (_, i) => i),
    });
    await Promise.all(Array.from({ length: 45 }, (_, i) => write(old, `one of many ${i}`)));
    service.setTime(now - DAY);
    const young = await begin();
    await write(young, 'written again');
    await learn(young, 'young fact');
    service.setTime(now);
    expect((await left()).length).toBe(50);
    await keep(30);
    await pollUntil(left, (names) => names.length <= 2);
    expect(await left()).toEqual(['written again', 'young fact']);
    await keep(null);
  });

  test('expired memory is deleted without a retention period and without a write', async () => {
    const now = Date.parse('2026-04-10T12:00:00Z');
    const { byKey, byOwner } = service;
    service.setTime(now);
    const { run_id } = await byKey.recording.startRun({ body: { agent_name: 'forgets' } });
    const slot = { scope_key: 'expiring', data: 1 };
    for (let i = 0; i < 30; i += 1)
      await byKey.memory.writeEpisodic({
        params: { run_id },
        body: { ...slot, slot_name: `${i}`, ttl_seconds: 60 },
      });
    await byKey.memory.writeEpisodic({ params: { run_id }, body: { ...slot, slot_name: 'stays' } });
    const settings = await byOwner.settings.getRecordingSettings();
    expect(settings.retention_days).toBeNull();
    const readRemaining = async () => {
      service.setTime(now + 60_000);
      // Saving the settings triggers a deletion at once.
      await byOwner.settings.putRecordingSettings({ body: settings });
      await new Promise((resolve) => setTimeout(resolve, 200));
      // Reads at a time before the expiry to see what is still stored.
      service.setTime(now + 59_999);
      return byKey.memory.readMemory({ query: { scope_key: 'expiring', limit: 100 } });
    };
    const left = await pollUntil(readRemaining, ({ count }) => count === 1);
    expect(left.results.map(({ slot_name }) => slot_name)).toEqual(['stays']);
  });

  test('sums of costs never become negative, and remainders of deleted costs are zero', async () => {
    const now = Date.parse('2026-04-20T12:00:00Z');
    const { byKey, byOwner } = service;
    const record = async (costs: readonly number[]) => {
      const { run_id } = await byKey.recording.startRun({
        body: { agent_name: 'costly', session_id: 'costly', user_id: 'costly' },
      });
      for (const cost of costs) {
        const calls = [{ model: 'costly', tokens_in: 1, tokens_out: 1, cost }];
        await byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls } });
      }
      await byKey.recording.completeRun({ params: { run_id }, body: {} });
    };
    service.setTime(now - 40 * DAY);
    // Deleted costs are added up run by run, in a different order than recorded.
    for (const run of [1, 2, 3])
      await record(Array.from({ length: 20 }, (_, i) => ((i * run * 7919) % 1009) / 1009));
    service.setTime(now - DAY);
    await record([0]);
    service.setTime(now);
    const { analytics, llmCalls, settings } = byOwner;
    const { masking } = await settings.getRecordingSettings();
    await settings.putRecordingSettings({ body: { retention_days: 30, masking } });
    const sessions = await pollUntil(
      () => analytics.listSessions({ query: { search: 'costly' } }),
      ({ results }) => results[0]?.run_count === 1,
    );
    const user = await analytics.getTrackedUser({ params: { user_id: 'costly' }, query: {} });
    const calls = await llmCalls.listLlmCalls({ query: { agent: 'costly' } });
    expect([
      sessions.results[0]?.total_cost,
      user.aggregates.total_cost,
      ...user.cost_by_model.map(({ total_cost }) => total_cost),
      calls.aggregates.total_cost,
      calls.aggregates.total_calls,
    ]).toEqual([0, 0, 0, 0, 1]);
    await settings.putRecordingSettings({ body: { retention_days: null, masking } });
  });

  test('data older than the retention period is deleted everywhere, the rest is kept', async () => {
    const now = Date.parse('2026-06-01T12:00:00Z');
    service.setTime(now - 40 * DAY);
    const old = await recordOn('old', 1200);
    await service.byKey.events.recordEvents({ body: { events: [{ event_type: 'then' }] } });
    service.setTime(now - 5 * DAY);
    const young = await recordOn('young', 3);
    await service.byKey.events.recordEvents({ body: { events: [{ event_type: 'lately' }] } });
    service.setTime(now);
    const { analytics, events, llmCalls, runs, scores, settings } = service.byOwner;
    const { masking } = await settings.getRecordingSettings();
    await settings.putRecordingSettings({ body: { retention_days: 30, masking } });

    await pollUntil(
      () => runs.listRuns({ query: {} }),
      ({ count }) => count === 1,
    );
    await expect(runs.getRun({ params: { id: old } })).rejects.toMatchObject({ status: 404 });
    // Events are deleted after runs, and the search index is updated in a separate thread.
    await pollUntil(
      () => events.listEvents({ query: {} }),
      ({ count }) => count === 1,
    );
    await pollUntil(
      () => llmCalls.listLlmCalls({ query: { search: 'needle' } }),
      ({ count }) => count === 20,
    );
    const kept = await runs.getRun({ params: { id: young } });
    expect(kept.counts).toEqual({
      llm_calls: 20,
      steps: 0,
      spans: 3,
      scores: 1,
      evaluations: 0,
      incidents: 0,
    });
    const calls = await llmCalls.listLlmCalls({ query: {} });
    expect(calls.aggregates).toMatchObject({ total_calls: 20, total_tokens: 30_000 });
    expect(calls.aggregates.total_cost).toBeCloseTo(0.15, 9);
    const [sessions, users, scored] = await Promise.all([
      analytics.listSessions({ query: {} }),
      analytics.listTrackedUsers({ query: {} }),
      scores.listScores({ query: {} }),
    ]);
    expect(sessions.results.map(({ session_id }) => session_id)).toEqual(['young']);
    expect([sessions.count, users.count, scored.count]).toEqual([1, 1, 1]);
    expect(users.results[0]).toMatchObject({ run_count: 1, total_tokens: 30_000 });
  });
});
