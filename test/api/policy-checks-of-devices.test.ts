import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { responseId, chatCapture } from '../support/captured-exchange.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';

const HOST = 'api.openai.com';

describe.each(databases)('policy checks of devices on %s', (kind) => {
  let service: TestControlPlane;
  let device: TestDevice;
  const start = Date.now();
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    service.setTime(start - 60_000);
    device = await enrollDevice(service, 'hardware-held', { userGroup: 'finance' });
    await guard(true);
    service.setTime(start);
  });
  afterAll(() => service.stop());

  const guard = (enforce_policies: boolean) =>
    service.byOwner.guard.putLayer({
      body: {
        layer: 'global',
        config: { capture_enabled: true, intercept_hosts: [HOST], enforce_policies },
      },
    });
  const held = (app_id: string | null, more: object = {}) => ({
    host: HOST,
    app_id,
    process: 'node',
    user: 'grace',
    path: '/v1/chat/completions',
    provider: 'OpenAI',
    model: 'gpt-4o',
    request: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }),
    request_truncated: false,
    prompt: null,
    redactions: {},
    ...more,
  });
  const check = (app: string | null, more?: object, { client } = device) =>
    client.device.checkCall({ body: held(app, more) });
  let policies = 0;
  /** Creates a policy for an agent, which has the same name as its app or process. */
  const createPolicy = async (
    category: string,
    agent: string,
    rules: object,
    more: object = {},
  ) => {
    const name = `${category} ${(policies += 1)}`;
    await service.byOwner.captures.putCaptureAgent({
      body: { device_id: null, app: agent, agent_name: agent },
    });
    await service.byKey.policies.createPolicy({
      body: { name, category, rules: { ...rules }, scope: { agents: [agent] }, ...more },
    });
    return name;
  };
  const evaluationsOf = async (agent: string) =>
    (await service.byOwner.evaluations.listEvaluations({ query: { agent } })).results;
  const passed = { refused: false, policy: null, reason: '' };

  test('without an applicable policy, nothing is checked or recorded', async () => {
    await createPolicy('scheduling', 'free', {});
    await createPolicy('llm', 'free', { blocked_models: ['gpt-4o'] }, { enabled: false });
    expect(await check('free')).toEqual(passed);
    expect(await evaluationsOf('free')).toEqual([]);
  });

  test('a blocked model is refused with the name of the policy, and recorded', async () => {
    const policy = await createPolicy('llm', 'models', { blocked_models: ['gpt-4o'] });
    const reason = "Model 'gpt-4o' is blocked";
    expect(await check('models')).toEqual({ refused: true, policy, reason });
    expect(await check('models', { model: 'o3' })).toEqual(passed);
    expect(await evaluationsOf('models')).toMatchObject([
      { action: 'allow', policy_name: policy },
      { action: 'block', policy_name: policy, phase: 'before_workflow', run_id: null, reason },
    ]);
    const { results } = await service.byOwner.incidents.listIncidents({
      query: { agent: 'models' },
    });
    expect(results).toMatchObject([{ policy_name: policy, action: 'block', reason }]);
  });

  test('the agent is determined as for captured calls; an app without runs is not checked', async () => {
    const policy = await createPolicy('llm', 'desk', { blocked_models: ['gpt-4o'] });
    const set = (app: string, agent_name: string | null) =>
      service.byOwner.captures.putCaptureAgent({ body: { device_id: device.id, app, agent_name } });
    await set('mapped', 'desk');
    expect(await check('mapped')).toMatchObject({ refused: true, policy });
    await set('mapped', null);
    expect(await check('mapped')).toEqual(passed);
    await createPolicy('llm', 'telnet', { blocked_models: ['gpt-4o'] });
    expect(await check(null, { process: 'telnet' })).toMatchObject({ refused: true });
  });

  test.each([
    [{ pii_detection: { enabled: true, action: 'block' } }, { EMAIL: 1 }, 'PII detected: email'],
    [{ credential_detection: { enabled: true, patterns: ['jwt'] } }, { JWT: 2 }, 'jwt'],
    [{ credential_detection: { enabled: true, patterns: ['github_pat'] } }, { API_KEY: 1 }, 'pat'],
    [{ blocked_phrases: ['hello'] }, {}, 'Blocked phrase: hello'],
    [{ custom_patterns: [{ name: 'P', pattern: 'H.llo', action: 'block' }] }, {}, 'matched: P'],
  ])('content is refused by %j with %j', async (rules, redactions, reason) => {
    const agent = `content-${(policies += 1)}`;
    const policy = await createPolicy('content', agent, rules);
    expect(await check(agent, { redactions })).toEqual({
      refused: true,
      policy,
      reason: expect.stringContaining(reason) as string,
    });
    const other = JSON.stringify({ messages: [{ role: 'user', content: 'Bye' }] });
    expect(await check(agent, { request: other, redactions: { IBAN: 1 } })).toEqual(passed);
  });

  test('a redact verdict passes on a device, and is recorded without the redacted text', async () => {
    const rules = { pii_detection: { enabled: true, action: 'redact' } };
    await createPolicy('content', 'redacting', rules);
    expect(await check('redacting', { redactions: { EMAIL: 1 } })).toEqual(passed);
    const [evaluation] = await evaluationsOf('redacting');
    expect(evaluation).toMatchObject({ action: 'redact', reason: /email/ });
    expect(evaluation?.metadata).not.toHaveProperty('redacted');
  });

  test('the limits of an end user apply to the user of the app', async () => {
    await createPolicy('end-user-rate-limit', 'limited', { action_on_exceed: 'block' });
    await service.byKey.endUsers.putEndUserLimits({
      params: { kind: 'user', id: 'grace' },
      body: { monthly_budget: null, requests_per_minute: 1 },
    });
    expect(await check('limited')).toEqual(passed);
    expect(await check('limited')).toMatchObject({ refused: true });
    expect(await check('limited', { user: 'ada' })).toEqual(passed);
  });

  test('a circuit opened by failed captured runs blocks the next call', async () => {
    const policy = await createPolicy('kill', 'failing', { kill_on_error_rate: 0, min_samples: 1 });
    expect(await check('failing')).toEqual(passed);
    const failed = chatCapture('failed', new Date(start).toISOString(), {
      id: responseId('failed'),
      captureFields: { app_id: 'failing', status: 500 },
    });
    await device.client.device.reportCaptures({
      body: { batch_id: 'failed-1', captures: [failed] },
    });
    expect(await check('failing')).toMatchObject({
      refused: true,
      policy,
      reason: expect.stringContaining('Circuit open') as string,
    });
  });

  test('a refused exchange is listed, but is not a run, call or failure', async () => {
    await createPolicy('kill', 'refused', { kill_on_error_rate: 0, min_samples: 1 });
    const at = new Date(start).toISOString();
    const refused = chatCapture('refused', at, {
      id: responseId('refused'),
      captureFields: { app_id: 'refused', status: 403, refused: true },
    });
    const body = { batch_id: 'refused-1', captures: [refused] };
    expect(await device.client.device.reportCaptures({ body })).toMatchObject({ accepted: 1 });
    const captures = await service.byOwner.captures.listCaptures({ query: { app: 'refused' } });
    expect(captures.results).toMatchObject([{ status: 403 }]);
    const runs = await service.byOwner.runs.listRuns({ query: { agent: 'refused' } });
    expect(runs.results).toEqual([]);
    expect(await check('refused')).toEqual(passed);
  });

  test('calls to hosts without capture are rejected; without enforcement all calls pass', async () => {
    await createPolicy('llm', 'off', { blocked_models: ['gpt-4o'] });
    expect(await check('off', { host: 'API.openai.com.' })).toMatchObject({ refused: true });
    for (const host of ['claude.ai', 'bankofamerica.com', 'x.api.openai.com'])
      await expect(check('off', { host })).rejects.toMatchObject({ status: 403 });
    await guard(false);
    expect(await check('off')).toEqual(passed);
    await guard(true);
  });

  test.each([
    [{ request: 'x'.repeat(160 * 1024 + 1) }, 'request'],
    [{ prompt: 'x'.repeat(32 * 1024 + 1) }, 'prompt'],
    [{ unplanned: 1 }, 'unplanned'],
    [{ redactions: { '1': 1 } }, 'redactions'],
  ])('%# unknown or invalid fields are rejected and named', async (more, named) => {
    await expect(check('strict', more)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(named) as string,
    });
  });

  test('a request of the maximum size is checked completely', async () => {
    await createPolicy('content', 'large', { credential_detection: { enabled: true } });
    const request = 'word '.repeat(32 * 1024);
    const prompt = 'word '.repeat(6553);
    expect(await check('large', { request, prompt, request_truncated: true })).toEqual(passed);
  });

  test('a device that checks too often gets 429 with Retry-After', async () => {
    const eager = await enrollDevice(service, 'hardware-eager');
    const requestCheck = () =>
      check('eager', {}, eager).then(
        () => 200,
        ({ status }: { status: number }) => status,
      );
    const statuses = new Set<number>();
    for (let i = 0; i < 10; i += 1)
      for (const status of await Promise.all(Array.from({ length: 25 }, requestCheck)))
        statuses.add(status);
    expect(statuses).toEqual(new Set([200, 429]));
    expect(await check('others')).toEqual(passed);
  });
});
