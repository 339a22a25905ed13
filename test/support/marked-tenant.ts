import type { TestClient } from './control-plane.ts';
import { pollUntil } from './processes.ts';

/** A mark in all data of the tenant: a response with it contains data of the tenant. */
export const TENANT_MARKER = 'zz-of-one-zz';

export type Ids = Awaited<ReturnType<typeof createMarkedResources>>;

/** Creates one resource of each kind through the API; returns the ids. */
export async function createMarkedResources({
  byKey,
  byOwner,
}: {
  byKey: TestClient;
  byOwner: TestClient;
}) {
  const { recording } = byKey;
  const agent = `${TENANT_MARKER}-agent`;
  const channel = await byKey.notifications.createChannel({
    body: { kind: 'webhook', name: `${TENANT_MARKER}-channel`, url: 'https://hooks.example.test/' },
  });
  const notificationRule = await byKey.notifications.createNotificationRule({
    body: {
      name: `${TENANT_MARKER}-rule`,
      events: ['approval.requested'],
      channel_ids: [channel.id],
      group_seconds: 86_400,
    },
  });
  const policy = await byKey.policies.createPolicy({
    body: { name: `${TENANT_MARKER}-policy`, category: 'rate-limit', rules: { max_per_hour: 1 } },
  });
  const approving = await byKey.policies.createPolicy({
    body: {
      name: `${TENANT_MARKER}-approving`,
      category: 'approval',
      rules: { require_approval_for: ['session-start'] },
    },
  });
  for (let i = 0; i < 2; i += 1)
    await byKey.evaluations.checkPolicy({ body: { agent_name: agent } });
  const { run_id } = await recording.startRun({
    body: {
      agent_name: agent,
      session_id: `${TENANT_MARKER}-session`,
      user_id: `${TENANT_MARKER}-user`,
    },
  });
  const run = { params: { run_id } };
  const call = {
    model: `${TENANT_MARKER}-model`,
    tokens_in: 1,
    tokens_out: 1,
    prompt_preview: TENANT_MARKER,
  };
  await recording.recordLlmCalls({ ...run, body: { calls: [call] } });
  await recording.recordSteps({ ...run, body: { steps: [{ step_name: TENANT_MARKER }] } });
  await recording.recordSpans({ ...run, body: { spans: [{ name: TENANT_MARKER, kind: 'tool' }] } });
  await recording.recordScores({
    ...run,
    body: { scores: [{ name: TENANT_MARKER, numeric_value: 1 }] },
  });
  const slot = await byKey.memory.writeEpisodic({
    ...run,
    body: {
      slot_name: TENANT_MARKER,
      scope_key: `${TENANT_MARKER}-scope`,
      data: { said: TENANT_MARKER },
    },
  });
  await byKey.events.recordEvents({
    body: { events: [{ event_type: TENANT_MARKER, reason: TENANT_MARKER }] },
  });
  const prompt = await byOwner.prompts.createPrompt({
    body: { name: `${TENANT_MARKER}-prompt`, content: TENANT_MARKER },
  });
  const prompt_id = prompt.id;
  await byOwner.prompts.putPromptLabel({
    params: { prompt_id, label: 'live' },
    body: { version: 1 },
  });
  const dataset = await markedDataset(byOwner);
  const cost = { input_cost_per_million: 1, output_cost_per_million: 1 };
  await byKey.costs.putModelCost({ params: { model_id: `${TENANT_MARKER}-own` }, body: cost });
  await byKey.endUsers.putEndUserLimits({
    params: { kind: 'user', id: `${TENANT_MARKER}-customer` },
    body: { monthly_budget: 1, requests_per_minute: null },
  });
  const layer = await byOwner.guard.putLayer({
    body: {
      layer: 'user_group',
      scope: `${TENANT_MARKER}-group`,
      config: { capture_enabled: false },
    },
  });
  const [authority] = (await byKey.authorities.listAuthorities()).results;
  const key = await byOwner.identity.createApiKey({
    body: { name: `${TENANT_MARKER}-key`, permissions: ['record'] },
  });
  const user = await byOwner.identity.createUser({
    body: { email: `${TENANT_MARKER}@example.test`, role: 'viewer' },
  });
  const sub = await byKey.subTenants.createSubTenant({ body: { name: `${TENANT_MARKER}-sub` } });
  const token = await byKey.subUsers.issueSubUserToken({
    body: { sub_user_id: `${TENANT_MARKER}-sub-user`, permissions: ['record'] },
  });
  const view = await byOwner.listViews.createView({
    body: { list: 'runs', name: `${TENANT_MARKER}-view`, query: 'agent=a', is_shared: true },
  });
  const dashboard = await byOwner.dashboards.createDashboard({
    body: { name: `${TENANT_MARKER}-dashboard`, is_shared: true },
  });
  const queue = await byOwner.annotationQueues.createAnnotationQueue({
    body: {
      name: `${TENANT_MARKER}-queue`,
      scores: [{ name: TENANT_MARKER, data_type: 'boolean' }],
    },
  });
  await byOwner.annotationQueues.addAnnotationItems({
    params: { queue_id: queue.id },
    body: { run_ids: [Number(run_id)] },
  });
  const exported = await byKey.audit.startAuditExport({ body: { format: 'json' } });
  const found = await byOwner.runs.getRun({ params: { id: run_id } });
  const { results: events } = await byOwner.events.listEvents({ query: {} });
  const { results: incidents } = await byOwner.incidents.listIncidents({ query: {} });
  const { results: approvals } = await byKey.approvals.listApprovals({ query: {} });
  const { results: sessions } = await byOwner.identity.listSessions();
  const { results: changes } = await byOwner.guard.listGuardHistory({ query: {} });
  const delivery = await pollUntil(
    async () => (await byKey.notifications.listDeliveries({ query: {} })).results[0],
    (found) => found !== undefined,
  );
  const idOf = (row: { id: string | number } | undefined): string => String(row?.id);
  return {
    run: run_id,
    call: idOf(found.llm_calls[0]),
    step: idOf(found.steps[0]),
    span: idOf(found.spans[0]),
    score: idOf(found.scores[0]),
    event: idOf(events[0]),
    slot: slot.slot_id,
    prompt: prompt_id,
    ...dataset,
    policy: policy.id,
    approving: approving.id,
    incident: idOf(incidents[0]),
    approval: idOf(approvals[0]),
    layer: layer.id,
    change: idOf(changes[0]),
    authority: authority?.id ?? '',
    key: key.id,
    user: user.id,
    session: idOf(sessions[0]),
    sub: sub.id,
    token: token.token,
    view: view.id,
    dashboard: dashboard.id,
    queue: queue.id,
    export: exported.export_id,
    channel: channel.id,
    notificationRule: notificationRule.id,
    delivery: idOf(delivery),
  };
}

/** Creates a dataset with an item, and an experiment whose provider cannot be reached. */
async function markedDataset({ datasets, experiments }: TestClient) {
  const { id: dataset } = await datasets.createDataset({
    body: { name: `${TENANT_MARKER}-dataset` },
  });
  const params = { dataset_id: dataset };
  const items = [
    {
      input: { question: TENANT_MARKER },
      expected_output: TENANT_MARKER,
      metadata: { of: TENANT_MARKER },
    },
  ];
  const { item_ids } = await datasets.addDatasetItems({ params, body: { items } });
  const { id: experiment } = await experiments.startExperiment({
    params,
    body: { name: `${TENANT_MARKER}-experiment`, content: `${TENANT_MARKER} {{question}}` },
  });
  return { dataset, item: item_ids[0] ?? '', experiment };
}
