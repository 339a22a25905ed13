import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CodingAgentLevel } from '#contract/guard.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';
import { loadSamples, type Sample, sessionOf } from '../otel/samples.ts';
import { keyValues, newTraceId, requestOf } from '../otel/spans.ts';
import { chat } from '../support/sent-traces.ts';

const DAY = 24 * 60 * 60_000;

describe.each(databases)('recording keys of devices on %s', (kind) => {
  let service: TestControlPlane;
  let device: TestDevice;
  let samples: Sample[];
  const start = Date.now();
  let machines = 0;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    service.setTime(start);
    device = await enrollDevice(service, `machine-${(machines += 1)}`, { userGroup: 'finance' });
    samples = await loadSamples('claude-code-logs');
    await guard('metadata');
  });

  const guard = (coding_agents: CodingAgentLevel) =>
    service.byOwner.guard.putLayer({ body: { layer: 'global', config: { coding_agents } } });
  const issue = async () => (await device.client.device.issueRecordingKey()) as { key: string };
  const send = async (key: string, path = '/api/v1/otel/v1/logs', body: unknown = {}) => {
    const headers = { 'content-type': 'application/json', 'x-svc-key': key };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${service.urls.public}${path}`, init)).status;
  };

  const runOfTrace = async (trace: string) => {
    const { results } = await service.byOwner.runs.listRuns({ query: { limit: 100 } });
    const id = results.find(({ trace_id }) => trace_id === trace)?.id;
    return service.byOwner.runs.getRun({ params: { id: String(id) } });
  };

  test('exports of a coding agent become a run of the device and its group', async () => {
    const { key } = await issue();
    for (const { signal, body } of samples)
      expect(await send(key, `/api/v1/otel/v1/${signal}`, body)).toBe(200);
    const query = { limit: 100 };
    const { results } = await service.byOwner.runs.listRuns({ query });
    const id = results.find(({ session_id }) => session_id === sessionOf(samples))?.id;
    const run = await service.byOwner.runs.getRun({ params: { id: String(id) } });
    expect(run).toMatchObject({
      agent_name: 'claude-code',
      user_group: 'finance',
      device: { id: device.id, hostname: 'macbook-ada' },
      captured: null,
    });
  });

  test.each([
    ['metadata', false, false],
    ['prompts', true, false],
    ['tools', true, true],
  ] as const)('at level %s, no other texts are stored', async (level, prompts, tools) => {
    await guard(level);
    const { key } = await issue();
    // Codex always sends the content of tools, whatever its settings.
    const sent = await loadSamples('codex-logs');
    for (const { signal, body } of sent) await send(key, `/api/v1/otel/v1/${signal}`, body);
    const { results } = await service.byOwner.runs.listRuns({ query: { limit: 100 } });
    const id = String(results.find(({ session_id }) => session_id === sessionOf(sent))?.id);
    const run = await service.byOwner.runs.getRun({ params: { id } });
    const spans = await Promise.all(
      run.spans.map((span) =>
        service.byOwner.runs.getSpan({ params: { id, span_id: String(span.id) } }),
      ),
    );
    const tool = spans.find(({ kind: of }) => of === 'tool');
    expect(run.inputs !== null).toBe(prompts);
    expect([tool?.name, tool?.input_data !== null, tool?.output_data !== null]).toEqual([
      'exec_command',
      tools,
      tools,
    ]);
    expect(JSON.stringify([run, spans]).includes('20 degrees')).toBe(tools);
    expect(run.llm_calls).toMatchObject([{ tokens_in: 100 }, { tokens_in: 150 }]);
  });

  test.each([
    ['metadata', false],
    ['prompts', false],
    ['tools', true],
  ] as const)('at level %s, unmapped names have texts: %s', async (level, hasTexts) => {
    await guard(level);
    const { key } = await issue();
    const attributes = { 'acme.usage': 12, 'acme.says': 'a secret', 'acme.list': ['a secret'] };
    const scope = { name: `acme ${level}`, version: '1' };
    const trace = newTraceId();
    // A failed call is also stored as a span, with its attributes.
    const spans = [chat({ id: 'call', attributes, error: 'overloaded' })];
    const request = requestOf(spans, { scope, trace });
    expect(await send(key, '/api/v1/otel/v1/traces', request)).toBe(200);
    const run = await runOfTrace(trace);
    expect(run.spans).toMatchObject([{ attributes: { 'acme.usage': 12 } }]);
    expect(JSON.stringify(run).includes('a secret')).toBe(hasTexts);
    const record = {
      timeUnixNano: `${BigInt(start) * 1_000_000n}`,
      eventName: 'acme.said',
      attributes: keyValues(attributes),
      body: { stringValue: 'a secret' },
    };
    const logs = { resourceLogs: [{ scopeLogs: [{ scope, logRecords: [record] }] }] };
    expect(await send(key, '/api/v1/otel/v1/logs', logs)).toBe(200);
    const query = { limit: 100 };
    const { results } = await service.byOwner.otel.listUnmappedAttributes({ query });
    const own = results.filter((row) => row.scope === scope.name);
    expect(own.map(({ name, example }) => [name, example?.type, example?.length])).toEqual([
      ['acme.list', 'array', 1],
      ['acme.says', 'string', 8],
      ['acme.usage', 'number', null],
      ['event acme.said', 'event', 4],
    ]);
    expect(own.map(({ example }) => example?.text)).toEqual(
      hasTexts
        ? [
            '["a secret"]',
            'a secret',
            '12',
            'acme.usage=12 acme.says=a secret acme.list=["a secret"] body=a secret',
          ]
        : [null, null, '12', 'acme.usage=12 acme.says=string(8) acme.list=array(1) body=string(8)'],
    );
  });

  test.each([
    ['metadata', ['acme.said', 'event gen_ai.dreamt']],
    ['prompts', ['acme.said', 'event gen_ai.dreamt']],
    ['tools', []],
  ] as const)(
    'at level %s, what the level removes from spans of a coding agent is listed by name: %j',
    async (level, names) => {
      await guard(level);
      const { key } = await issue();
      const scope = { name: `com.anthropic.claude_code.${level}`, version: '1' };
      const span = {
        id: 'call',
        name: 'claude_code.tool',
        attributes: { tool_name: 'Bash', full_command: 'a secret', 'acme.said': 'a secret' },
        events: [{ name: 'gen_ai.dreamt', attributes: { of: 'a secret' } }],
      };
      const request = requestOf([span], { scope, trace: newTraceId() });
      expect(await send(key, '/api/v1/otel/v1/traces', request)).toBe(200);
      const { results } = await service.byOwner.otel.listUnmappedAttributes({
        query: { limit: 100 },
      });
      const own = results.filter((row) => row.scope === scope.name);
      expect(own.map(({ name }) => name)).toEqual(names);
      expect(JSON.stringify(own)).not.toContain('a secret');
    },
  );

  test('at level metadata, all names of the recorded coding agents have a rule', async () => {
    const { key } = await issue();
    const listed = () => service.byOwner.otel.listUnmappedAttributes({ query: { limit: 100 } });
    const before = await listed();
    const logs = ['claude-code', 'cline-2', 'codex', 'cursor', 'gemini-cli', 'qwen-code'];
    for (const name of ['goose-traces', ...logs.map((agent) => `${agent}-logs`)])
      for (const { signal, body } of await loadSamples(name))
        expect(await send(key, `/api/v1/otel/v1/${signal}`, body)).toBe(200);
    expect(await listed()).toEqual(before);
  });

  test('the key can send all three signals, and has no other access', async () => {
    const { key } = await issue();
    for (const signal of ['traces', 'logs', 'metrics'])
      expect(await send(key, `/api/v1/otel/v1/${signal}`)).toBe(200);
    expect(await send(key, '/api/v1/observability/workflow/run', { agent_name: 'a' })).not.toBe(
      201,
    );
    const paths = ['/api/v1/memory/search/', '/api/svc/v1/endpoint/enroll/', '/api/v1/policies/'];
    for (const path of paths) expect(await send(key, path)).toBeGreaterThanOrEqual(401);
  });

  test('the key is refused at once, and none is issued, while Guard disables coding agents', async () => {
    const { key } = await issue();
    expect(await send(key)).toBe(200);
    await guard('off');
    expect(await send(key)).toBe(401);
    await expect(issue()).rejects.toThrow('coding agents are not recorded on this device');
  });

  test('the key is refused once its device is revoked, also after the device is restored', async () => {
    const { key } = await issue();
    expect(await send(key)).toBe(200);
    const params = { id: device.id };
    await service.byOwner.enrollment.revokeDevice({ params, body: {} });
    expect(await send(key)).toBe(401);
    await service.byOwner.enrollment.restoreDevice({ params, body: {} });
    await service.byOwner.enrollment.approveDevice({ params, body: {} }).catch(() => undefined);
    expect(await send(key)).toBe(401);
  });

  test('a key stays valid until after the next one is issued, and then expires', async () => {
    const first = await issue();
    service.setTime(start + 8 * DAY);
    const second = await issue();
    expect(second.key).not.toBe(first.key);
    expect([await send(first.key), await send(second.key)]).toEqual([200, 200]);
    service.setTime(start + 22 * DAY);
    expect([await send(first.key), await send(second.key)]).toEqual([401, 200]);
  });

  test('if a device requests keys repeatedly, only the newest ones are valid', async () => {
    const keys: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      service.setTime(start + n);
      keys.push((await issue()).key);
    }
    const answers = await Promise.all(keys.map((key) => send(key)));
    expect(answers).toEqual([401, 401, 200, 200, 200, 200]);
  });
});
