import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '#lib/time-units.ts';
import { loadSamples, sendSamples } from '../otel/samples.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const START = Date.UTC(2026, 9, 1);
/** Each value has a day of its own, after the period of the other tests. */
const DAYS_BEFORE_VALUES = 10;
let values = 0;
const decision = (tool: string, value: string) => ({
  name: `decision ${tool}`,
  kind: 'decision' as const,
  attributes: { tool, decision: value, source: 'user' },
});

describe.each(databases)('work of coding agents, on %s', (kind) => {
  let service: TwoTenants;
  beforeAll(async () => {
    service = await startTwoTenants(kind);
    service.setTime(START);
    await record('claude-code', { user_id: 'ada', user_group: 'core' }, [
      decision('Edit', 'accept'),
      decision('Write', 'accept'),
      decision('Edit', 'reject'),
      decision('Bash', 'reject'),
    ]);
    service.setTime(START + DAY_MS);
    await record('codex', { user_id: 'ada', user_group: 'core' }, [
      {
        name: 'apply_patch',
        kind: 'tool',
        attributes: { lines_added: 12, lines_removed: 3 },
      },
      decision('apply_patch', 'approved'),
    ]);
    await record('gemini-cli', { user_id: 'grace', user_group: 'web' }, [
      { name: 'replace', kind: 'tool', attributes: { decision: 'auto_accept', lines_added: 2 } },
    ]);
    await record('support-agent', { user_id: 'eve', user_group: 'web' }, []);
  });
  afterAll(() => service.stop());

  type Spans = Parameters<
    TwoTenants['one']['byKey']['recording']['recordSpans']
  >[0]['body']['spans'];
  async function record(agent_name: string, of: object, spans: Spans): Promise<void> {
    const { recording } = service.one.byKey;
    const { run_id } = await recording.startRun({
      body: { agent_name, session_id: `${agent_name}-1`, ...of },
    });
    const params = { run_id };
    const calls = [{ model: 'gpt-4o', tokens_in: 100, tokens_out: 10, cost: 0.25 }];
    await recording.recordLlmCalls({ params, body: { calls } });
    if (spans.length > 0) await recording.recordSpans({ params, body: { spans } });
    await recording.completeRun({ params, body: {} });
  }
  const work = (query: object = {}) =>
    service.one.byOwner.codingAgents.getCodingWork({
      query: {
        start: new Date(START - DAY_MS).toISOString(),
        end: new Date(START + 2 * DAY_MS).toISOString(),
        ...query,
      },
    });

  test('is reported by agent, developer, team and day', async () => {
    const report = await work();
    expect(report.total).toMatchObject({
      developers: 2,
      sessions: 3,
      prompts: 3,
      tokens: 330,
      cost: 0.75,
      edits_accepted: 4,
      edits_rejected: 1,
      lines_added: 14,
      lines_removed: 3,
    });
    expect(report.agents.map(({ agent_name }) => agent_name).toSorted()).toEqual([
      'claude-code',
      'codex',
      'gemini-cli',
    ]);
    expect(report.developers).toMatchObject([
      { user_id: 'ada', prompts: 2, cost: 0.5, edits_accepted: 3, edits_rejected: 1 },
      { user_id: 'grace', prompts: 1, cost: 0.25, lines_added: 2 },
    ]);
    expect(report.teams).toMatchObject([
      { team: 'core', developers: 1, lines_added: 12 },
      { team: 'web', developers: 1, prompts: 1 },
    ]);
    expect(report.days).toMatchObject([
      { day: '2026-10-01T00:00:00.000Z', prompts: 1, edits_rejected: 1 },
      { day: '2026-10-02T00:00:00.000Z', prompts: 2, lines_removed: 3 },
    ]);
  });

  test('is reported for one agent, and for a period without any', async () => {
    expect((await work({ agent: 'codex' })).total).toMatchObject({ prompts: 1, lines_added: 12 });
    const none = await work({ end: new Date(START - 1).toISOString() });
    expect(none).toMatchObject({ total: { prompts: 0, cost: 0 }, agents: [], days: [] });
  });

  test.each([
    [3, 3],
    ['4', 4],
    ['007', 7],
    [0, 0],
    ['abc', 0],
    ['', 0],
    [' 5 ', 0],
    ['1e400', 0],
    ['1.5', 0],
    [1.5, 0],
    [-2, 0],
    ['-2', 0],
    [1e21, 0],
    [4_000_000_000, 0],
    ['99999999999999999999', 0],
    [true, 0],
    ['true', 0],
    [false, 0],
    [null, 0],
    [{ lines: 1 }, 0],
    [[1], 0],
  ])('the attribute lines_added %j counts %d lines', async (value, lines) => {
    const start = START + (DAYS_BEFORE_VALUES + (values += 1)) * DAY_MS;
    service.setTime(start);
    const attributes = { lines_added: value, lines_removed: 1 };
    await record('opencode', {}, [{ name: 'edit', kind: 'tool', attributes }]);
    const [from, to] = [start, start + DAY_MS].map((at) => new Date(at).toISOString());
    const { total } = await work({ start: from, end: to });
    expect(total).toMatchObject({ lines_added: lines, lines_removed: 1 });
  });

  test("includes lines from Claude Code's metrics, counting each export once", async () => {
    const samples = await loadSamples('claude-code-metrics');
    const [metrics] = samples;
    const lines = (value: number, seconds: number) => ({
      ...metrics,
      signal: 'metrics' as const,
      body: linesMetric(value, START + seconds * 1000),
    });
    await sendSamples(service.one, [...samples, lines(5, 60), lines(5, 60), lines(6, 120)]);
    const { total, developers } = await work({ agent: 'claude-code' });
    expect(total).toMatchObject({ prompts: 1, lines_added: 11, lines_removed: 0 });
    expect(developers).toContainEqual(
      expect.objectContaining({ user_id: 'ada@example.com', prompts: 0, lines_added: 11 }),
    );
  });
});

function linesMetric(asInt: number, at: number): object {
  const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const attributes = [
    attribute('session.id', 'session-1'),
    attribute('user.email', 'ada@example.com'),
    attribute('type', 'added'),
  ];
  const dataPoints = [{ attributes, timeUnixNano: `${at}000000`, asInt }];
  const sum = { aggregationTemporality: 1, isMonotonic: true, dataPoints };
  const metrics = [{ name: 'claude_code.lines_of_code.count', sum }];
  const scopeMetrics = [{ scope: { name: 'com.anthropic.claude_code' }, metrics }];
  return { resourceMetrics: [{ scopeMetrics }] };
}
