import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

const redact = { enabled: true, action: 'redact', types: ['email'] };

describe.each(databases)('policies on content on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  let made = 0;
  async function agentWith(category: string, rules: object): Promise<string> {
    const agent = `agent-${(made += 1)}`;
    const name = `${category} of ${agent}`;
    const scope = { agents: [agent] };
    await service.byKey.policies.createPolicy({
      body: { name, category, rules: { ...rules }, scope },
    });
    return agent;
  }
  const check = (agent_name: string, inputs: unknown) =>
    service.byKey.evaluations.checkPolicy({ body: { agent_name, inputs } });
  const start = async (agent_name: string, inputs: Record<string, unknown>) =>
    (await service.byKey.recording.startRun({ body: { agent_name, inputs } })).run_id;
  const checksOf = async (run_id: string) =>
    (await service.byOwner.evaluations.listEvaluations({ query: { run_id } })).results.map(
      ({ phase, action, reason, metadata }) => ({ phase, action, reason, metadata }),
    );

  test('a check returns redacted inputs', async () => {
    const agent = await agentWith('content', { pii_detection: redact });
    expect(await check(agent, { to: 'jane@example.com', n: 1 })).toMatchObject({
      action: 'redact',
      reason: 'Input content violations: PII detected: email',
      metadata: { redacted: { to: '##EMAIL##', n: 1 }, category: 'content' },
    });
    expect(await check(agent, { to: 'Jane' })).toMatchObject({ action: 'allow' });
  });

  test('inputs too large to check are blocked, and names and numbers are checked too', async () => {
    const agent = await agentWith('content', { credential_detection: { enabled: true } });
    expect((await check(agent, 'word '.repeat(60_000))).action).toBe('block');
    expect((await check(agent, { 'password=hunter22': 1 })).action).toBe('block');
    const careful = await agentWith('content', {
      pii_detection: { enabled: true, action: 'redact' },
    });
    expect(await check(careful, { 'a@b.io': 4111111111111111, q: '{"a@b.io": 1}' })).toMatchObject({
      action: 'redact',
      metadata: {
        redacted: { '##EMAIL##': '##CREDIT_CARD##', q: '{"a@b.io": 1}' },
        not_redacted: ['email'],
      },
    });
  });

  test('recorded content is checked, shown with the run, and opens an incident', async () => {
    const agent = await agentWith('content', {
      credential_detection: { enabled: true },
      scan_inputs: false,
    });
    const run_id = await start(agent, { q: 'password=hunter22' });
    const params = { run_id };
    const call = { model: 'm', tokens_in: 1, tokens_out: 1 };
    const calls = [{ ...call, response_preview: 'use password=hunter22' }];
    await service.byKey.recording.recordLlmCalls({ params, body: { calls } });
    expect(await checksOf(run_id)).toContainEqual({
      phase: 'mid_execution',
      action: 'block',
      reason: 'Response content violations: Credentials detected: password',
      metadata: {
        violations: [
          { target: 'response', type: 'credential', matched: 'password', action: 'block' },
        ],
      },
    });
    const { results } = await service.byOwner.incidents.listIncidents({ query: { run_id } });
    expect(results).toMatchObject([{ category: 'content', action: 'block', status: 'open' }]);
  });

  test('a run gets audit records at its start and end, without secrets', async () => {
    const agent = await agentWith('audit', { redact_fields: ['customer'] });
    const run_id = await start(agent, { customer: 'Ada', q: 'why?', api_key: 'k' });
    const body = { result: { answer: 42, token: 'abc' } };
    await service.byKey.recording.completeRun({ params: { run_id }, body });
    expect(await checksOf(run_id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          phase: 'before_workflow',
          action: 'allow',
          metadata: expect.objectContaining({
            inputs: { customer: '##REDACTED##', q: 'why?', api_key: '##REDACTED##' },
          }) as unknown,
        }),
        expect.objectContaining({
          phase: 'after_workflow',
          metadata: expect.objectContaining({
            outputs: { answer: 42, token: '##REDACTED##' },
            steps: 0,
            tool_calls: 0,
          }) as unknown,
        }),
      ]),
    );
  });

  test('a safety policy blocks a run with too many steps', async () => {
    const agent = await agentWith('safety', { max_steps: 1 });
    const run_id = await start(agent, {});
    const steps = [{ step_name: 'one' }, { step_name: 'two' }];
    await service.byKey.recording.recordSteps({ params: { run_id }, body: { steps } });
    expect(await checksOf(run_id)).toMatchObject([
      { phase: 'mid_execution', action: 'block', reason: 'Step limit exceeded (2/1)' },
    ]);
  });

  test('an invalid pattern is rejected, and the error names it', async () => {
    const custom_patterns = [{ name: 'broken', pattern: '(b' }];
    await expect(agentWith('content', { custom_patterns })).rejects.toMatchObject({
      status: 400,
      message: 'rules.custom_patterns[0].pattern: broken missing closing ): `(b`',
    });
  });
});
