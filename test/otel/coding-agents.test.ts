import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maintenanceSteps } from '#control-plane/otel/maintenance/maintenance-steps.ts';
import {
  maintainTraces,
  type MaintenanceContext,
} from '#control-plane/otel/maintenance/maintain-traces.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';
import { expectTotalsOfRecords } from '../support/totals.ts';
import { recordedRuns } from './recorded-runs.ts';
import { loadSamples, type Sample, sendSamples, sessionOf, split } from './samples.ts';
import { START } from './spans.ts';

describe.each(databases)('telemetry of coding agents, on %s', (kind) => {
  let service: TwoTenants;
  let time = START + 60_000;
  beforeAll(async () => {
    service = await startTwoTenants(kind);
    service.setTime(time);
  });
  afterAll(() => service.stop());

  const send = (samples: readonly Sample[]) => sendSamples(service.one, samples);

  /** The runs of a session in the order of their prompts. */
  const runsOf = async (samples: readonly Sample[]) => {
    const { byOwner } = service.one;
    const session = sessionOf(samples);
    const { results } = await byOwner.runs.listRuns({ query: { limit: 100 } });
    const runs = results.filter(({ session_id }) => session_id === session);
    return Promise.all(
      runs.toReversed().map(async ({ id }) => {
        const run = await byOwner.runs.getRun({ params: { id: String(id) } });
        const spans = await Promise.all(
          run.spans.map((span) =>
            byOwner.runs.getSpan({ params: { id: String(id), span_id: String(span.id) } }),
          ),
        );
        return { ...run, spans };
      }),
    );
  };
  type Run = Awaited<ReturnType<typeof runsOf>>[number];

  /** Advances the clock by more than ten minutes. */
  const settle = async (): Promise<void> => {
    service.setTime((time += 11 * 60_000));
    const { storage } = service;
    const governance = { onRunEnd: () => Promise.resolve() };
    const context = { storage, governance, now: () => time } as unknown as MaintenanceContext;
    for (const step of maintenanceSteps)
      await maintainTraces(context, step, new AbortController().signal);
  };

  test.each(recordedRuns)(
    '%s: a prompt is a run with its calls and tools',
    async (_name, names, run, calls, spans) => {
      const samples = await loadSamples(...names);
      expect(await send(samples)).toEqual(samples.map(() => ({})));
      const runs = await runsOf(samples);
      expect(runs).toHaveLength(1);
      expect(runs[0]).toMatchObject(run);
      expect(runs[0]?.llm_calls).toMatchObject(calls);
      expect(runs[0]?.spans).toMatchObject(spans);
    },
  );

  test.each([
    ['claude-code-failed-logs', 'the stand-in refuses this'],
    ['gemini-cli-failed-logs', 'the stand-in refuses this'],
    ['qwen-code-failed-logs', '400 the stand-in refuses this'],
    ['cline-failed-logs', 'the stand-in fails'],
  ])(
    '%s: a run ends when no more telemetry arrives, and fails with its last call',
    async (name, error) => {
      const samples = await loadSamples(name);
      await send(samples);
      expect(await runsOf(samples)).toMatchObject([{ status: 'running' }]);
      await settle();
      expect(await runsOf(samples)).toMatchObject([
        { status: 'error', error: expect.stringContaining(error) as string },
      ]);
    },
  );

  /** The fields that must not depend on how the telemetry was exported. */
  const essence = (runs: readonly Run[]) =>
    runs.map((run) => ({
      agent: run.agent_name,
      inputs: run.inputs,
      result: run.result,
      started: run.started_at,
      tokens: run.tokens,
      cost: run.cost.toFixed(9),
      count: run.llm_call_count,
      calls: run.llm_calls
        .map((call) => [call.model, call.task, call.total_tokens, call.response_preview].join())
        .toSorted(),
      tools: run.spans
        .map(({ name, status, input_data, output_data }) =>
          JSON.stringify([name, status, input_data, output_data]),
        )
        .toSorted(),
    }));

  test.each<[string, string[], (samples: readonly Sample[]) => Sample[]]>([
    ['spans first', ['claude-code-with-traces'], (samples) => samples.toReversed()],
    ['one by one', ['claude-code-with-traces'], (samples) => samples.flatMap(split)],
    ['backwards', ['claude-code-with-traces'], (all) => all.flatMap(split).toReversed()],
    ['twice', ['claude-code-with-traces'], (samples) => [...samples, ...samples]],
    ['twice, apart', ['claude-code-with-traces'], (all) => [...all, ...all.flatMap(split)]],
    ['spans first', ['codex-with-traces'], (samples) => samples.toReversed()],
    ['one by one', ['codex-with-traces'], (samples) => samples.flatMap(split)],
    ['twice', ['codex-with-traces'], (samples) => [...samples, ...samples]],
  ])('%s: %s results in the same run', async (_name, [client], change) => {
    const names = [`${client}-logs`, `${client}-traces`];
    const plain = await loadSamples(...names);
    await send(plain);
    const changed = await loadSamples(...names);
    await send(change(changed));
    expect(essence(await runsOf(changed))).toEqual(essence(await runsOf(plain)));
    const { results } = await service.one.byOwner.otel.listRejectedSpans({ query: {} });
    expect(results).toEqual([]);
  });

  test.each(['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'cline', 'cline-2'])(
    'sending logs of %s again stores nothing twice',
    async (client) => {
      const samples = await loadSamples(`${client}-logs`);
      await send(samples);
      const before = await runsOf(samples);
      await send([...samples, ...samples]);
      expect(await runsOf(samples)).toEqual(before);
    },
  );

  test('concurrent logs become one run', async () => {
    const samples = await loadSamples('claude-code-logs');
    await Promise.all(samples.flatMap(split).map((sample) => send([sample])));
    expect(await runsOf(samples)).toMatchObject([{ llm_call_count: 3, tokens: 485 }]);
  });

  test('each prompt of a conversation is a run, and later events belong to the last one', async () => {
    const [opening, rest] = await loadSamples('codex-logs');
    const later = (sample: Sample, minutes: number): Sample =>
      JSON.parse(
        JSON.stringify(sample).replaceAll(/2026-03-01T10:00/g, `2026-03-01T10:0${minutes}`),
      ) as Sample;
    const samples = [opening, later(opening as Sample, 1), later(rest as Sample, 1)] as Sample[];
    await send(samples);
    expect(await runsOf(samples)).toMatchObject([
      { started_at: '2026-03-01T10:00:00.795Z', llm_call_count: 1 },
      { started_at: '2026-03-01T10:01:00.795Z', llm_call_count: 2 },
    ]);
  });

  test('texts by people are masked', async () => {
    const masking = { enabled: true, builtin: ['EMAIL' as const], keys: [], patterns: [] };
    const { putRecordingSettings } = service.one.byOwner.settings;
    await putRecordingSettings({ body: { retention_days: null, masking } });
    const samples = await loadSamples('claude-code-logs');
    const text = JSON.stringify(samples).replaceAll(
      'Is it warm',
      'I am ada@example.com, is it warm',
    );
    await send(JSON.parse(text.replaceAll('echo 20', 'mail bob@example.com')) as Sample[]);
    const runs = await runsOf(samples);
    expect(runs[0]?.inputs).toEqual({ prompt: 'I am ##EMAIL##, is it warm in Paris?' });
    expect(JSON.stringify(runs)).not.toMatch(/@example/);
    expect(JSON.stringify(runs[0]?.spans)).toContain('mail ##EMAIL##');
  });

  test('texts withheld by a client are not recorded', async () => {
    const samples = await loadSamples('claude-code-logs');
    const text = JSON.stringify(samples).replaceAll(
      /Is it warm in Paris\?|It is 20 [a-zA-Z .]+/g,
      '<REDACTED>',
    );
    await send(JSON.parse(text) as Sample[]);
    expect(await runsOf(samples)).toMatchObject([{ inputs: null, result: null }]);
    expect(JSON.stringify(await runsOf(samples))).not.toContain('REDACTED');
  });

  test('metrics add nothing to the logs', async () => {
    const samples = await loadSamples('claude-code-logs', 'claude-code-metrics');
    expect(await send(samples)).toEqual([{}, {}]);
    expect(await runsOf(samples)).toMatchObject([{ llm_call_count: 3, tokens: 485 }]);
    const { results } = await service.one.byOwner.otel.listReceivedMetrics({ query: {} });
    expect(results).toMatchObject([
      { name: 'claude_code.active_time.total', scope: 'com.anthropic.claude_code', count: 1 },
      { name: 'claude_code.cost.usage' },
      { name: 'claude_code.session.count' },
      { name: 'claude_code.token.usage', scope_version: '2.1.197' },
    ]);
    const other = await service.other.byOwner.otel.listReceivedMetrics({ query: {} });
    expect(other.results).toEqual([]);
  });

  test('unmapped events can be looked up, and create no run', async () => {
    const { byOwner } = service.one;
    const before = await byOwner.otel.listUnmappedAttributes({ query: {} });
    expect(before.results).toEqual([]);
    const [sample] = await loadSamples('claude-code-logs');
    const text = JSON.stringify(sample).replaceAll(
      /(?<=stringValue":")claude_code\.[a-z_]+|(?<="event.name","value":{"stringValue":")[a-z_]+/g,
      'dreamt',
    );
    const [record, ...others] = split(JSON.parse(text) as Sample);
    await send([record as Sample, ...others]);
    const { results } = await byOwner.otel.listUnmappedAttributes({ query: {} });
    expect(results).toMatchObject([
      { name: 'event dreamt', scope: 'com.anthropic.claude_code.events', count: 8 },
    ]);
    expect(await runsOf([sample as Sample])).toEqual([]);
  });

  test('all totals are equal to the records', () => expectTotalsOfRecords(service.storage));
});
