import type { Page } from 'playwright-core';
import { notificationEvents } from '#contract/notifications.ts';
import { startTestControlPlane, OWNER, type TestControlPlane } from './control-plane.ts';
import { pagesOf, type VisitedPage } from './console-pages.ts';
import { signIn } from './console.ts';
import { appOf, captureOf, flowOf } from './device-reports.ts';
import { enrollDevice } from './device.ts';
import { startModelProvider } from './model-provider.ts';
import { settings } from './playground.ts';
import { recordIncidents } from './recorded-incidents.ts';
import { recordTrace } from './recorded-trace.ts';
import { recordWeek } from './recorded-week.ts';
import { makeDatasetWithLongTexts } from './long-text-datasets.ts';
import { sendUnmappedNames } from './unmapped-names.ts';

/**
 * Text without line breaks that is longer than any window is wide, and markup that must be shown as
 * text.
 */
const UNBROKEN = 'x'.repeat(150);
const LONG_NAME = `<b>&amp;"'${UNBROKEN}`;
const LONG_TEXT = `https://example.com/${'x'.repeat(20_000)}`;

export interface ConsoleWorld {
  service: TestControlPlane;
  /** All pages, with content on each. */
  pages: readonly VisitedPage[];
  stop(): Promise<void>;
}

/**
 * Starts a control plane with a week of records, a fleet, and names that test the limits of the
 * layout.
 */
export async function makeConsoleWorld(): Promise<ConsoleWorld> {
  const models = await startModelProvider();
  const service = await startTestControlPlane('sqlite', settings(models, 'openai'));
  const now = Date.now();
  await addNotifications(service);
  await recordWeek(service.byKey, now);
  await recordIncidents(service.byKey, now);
  const run = await recordLongRun(service);
  const trace = await recordTrace(service.byKey, now);
  await sendUnmappedNames(service, { name: LONG_NAME, text: LONG_TEXT });
  const device = await reportDevices(service);
  const made = await makeSettings(service, device);
  const queue = await makeQueue(service, run);
  const datasets = await makeDatasetWithLongTexts(service, { name: LONG_NAME, text: LONG_TEXT });
  return {
    service,
    pages: pagesOf({ run, trace, device, queue, name: LONG_NAME, ...made, ...datasets }),
    async stop() {
      await service.stop();
      await models.stop();
    },
  };
}

/** Creates a channel with a private address, whose messages fail for good. */
async function addNotifications({ byKey: { notifications } }: TestControlPlane): Promise<void> {
  const name = LONG_NAME.slice(0, 100);
  const { id } = await notifications.createChannel({
    body: { kind: 'webhook', name, url: `https://127.0.0.1:1/${UNBROKEN}` },
  });
  await notifications.createChannel({
    body: { kind: 'email', name: 'Admins', recipients: [`${'m'.repeat(60)}@example.test`] },
  });
  const quiet_hours = {
    time_zone: 'America/Argentina/ComodRivadavia',
    periods: [{ days: [1, 2, 3, 4, 5], from: '22:00', to: '07:00' }],
    during: 'hold' as const,
  };
  await notifications.createNotificationRule({
    body: { name, events: [...notificationEvents], channel_ids: [id], quiet_hours },
  });
  await notifications.createNotificationRule({
    body: { name: 'Incidents', events: ['incident.raised'], channel_ids: [id], group_seconds: 5 },
  });
}

async function recordLongRun({ byKey }: TestControlPlane): Promise<string> {
  const { recording } = byKey;
  const { run_id } = await recording.startRun({
    body: {
      agent_name: LONG_NAME,
      workflow_name: LONG_NAME,
      session_id: LONG_NAME,
      user_id: LONG_NAME,
      tags: [LONG_NAME, 'short'],
      inputs: { question: LONG_TEXT },
    },
  });
  const params = { run_id };
  const call = {
    model: LONG_NAME,
    provider: UNBROKEN,
    tokens_in: 900_000_000,
    tokens_out: 900_000_000,
    cost: 999_999.99,
    prompt_preview: LONG_TEXT,
    response_preview: LONG_TEXT,
  };
  await recording.recordLlmCalls({ params, body: { calls: [call, { ...call, cost: null }] } });
  const span = { name: LONG_NAME, kind: 'tool' as const, position: 0, error: LONG_TEXT };
  await recording.recordSpans({ params, body: { spans: [span] } });
  const step = { step_name: LONG_NAME, output: { text: LONG_TEXT } };
  await recording.recordSteps({ params, body: { steps: [step] } });
  const score = { name: LONG_NAME, numeric_value: 1, comment: LONG_TEXT };
  await recording.recordScores({ params, body: { scores: [score] } });
  await recording.completeRun({ params, body: { status: 'error', error: LONG_TEXT } });
  return run_id;
}

/**
 * Reports two devices. The first has long names in all fields, and many processes that Guard
 * blocks.
 */
async function reportDevices(service: TestControlPlane): Promise<string> {
  const device = await enrollDevice(service, 'hardware-long', {
    hosts: 'api.openai.com',
    userGroup: LONG_NAME,
  });
  await enrollDevice(service, 'hardware-other', { userGroup: 'finance' });
  const api = device.client.device;
  const started_at = new Date(Date.now() - 60_000).toISOString();
  await api.reportInventory({
    body: {
      batch_id: 'inventory-1',
      apps: [
        appOf(LONG_NAME, { evidence: [LONG_NAME], risk_flags: ['bypass_permissions'] }),
        appOf('aider'),
      ],
    },
  });
  await api.heartbeat({
    body: {
      agent_version: '1',
      applied_version: 0,
      queued: 0,
      dropped: 0,
      problems: [],
      certificate_refusals: [
        { process: LONG_NAME, app_id: null, host: 'api.openai.com', since: started_at },
      ],
      pauses: [
        {
          id: 'pause-1',
          user: LONG_NAME,
          started_at,
          minutes: 480,
          ended_at: null,
          ended_by: null,
        },
      ],
    },
  });
  await api.reportFlows({
    body: {
      batch_id: 'flows-of-1',
      flows: [
        flowOf('f1', { process: LONG_NAME, host: `${UNBROKEN}.example`, started_at }),
        flowOf('f2', {
          host: null,
          address: '2606:4700:4700:1111:2222:3333:4444:5555',
          started_at,
        }),
      ],
    },
  });
  await api.reportCaptures({
    body: {
      batch_id: 'captures-1',
      captures: [
        captureOf('c1', started_at, {
          process: UNBROKEN,
          path: `/${UNBROKEN}`,
          model: UNBROKEN,
          request_body: LONG_TEXT,
          response_body: LONG_TEXT,
        }),
      ],
    },
  });
  const blocked_processes = Array.from({ length: 400 }, (_, at) => `process-with-a-name-${at}`);
  await service.byOwner.guard.putLayer({
    body: {
      layer: 'device',
      scope: device.id,
      config: { blocked_processes, intercept_hosts: ['api.openai.com'], capture_enabled: true },
    },
  });
  return device.id;
}

/** Records two runs for each content, with scores; one of them fails. */
async function recordPromptCalls(
  { byKey: { recording } }: TestControlPlane,
  contents: readonly string[],
): Promise<void> {
  for (const content of contents)
    for (const status of ['success', 'error'] as const) {
      const { run_id } = await recording.startRun({ body: { agent_name: 'support' } });
      const params = { run_id };
      const call = { model: 'gpt-4o', tokens_in: 900, tokens_out: 50, duration_ms: 1234 };
      await recording.recordLlmCalls({
        params,
        body: { calls: [{ ...call, prompt_preview: content }] },
      });
      const score = { name: LONG_NAME.slice(0, 200), numeric_value: 0.75 };
      await recording.recordScores({ params, body: { scores: [score] } });
      await recording.completeRun({ params, body: { status } });
    }
}

async function makeSettings(service: TestControlPlane, device: string) {
  const { prompts, policies, identity, inventoryRules, inventory } = service.byOwner;
  const prompt = await prompts.createPrompt({
    body: {
      name: UNBROKEN,
      content: LONG_TEXT,
      tags: [UNBROKEN],
      description: LONG_TEXT.slice(0, 9000),
    },
  });
  const prompt_id = prompt.id;
  const second = `${LONG_TEXT}\nAnswer {{question}} for {{${UNBROKEN}}}.`;
  const config = { model: LONG_NAME, temperature: 0.5, tools: [{ type: 'function' }] };
  await prompts.createPromptVersion({ params: { prompt_id }, body: { content: second, config } });
  for (const label of ['production', 'l'.repeat(100)])
    await prompts.putPromptLabel({ params: { prompt_id, label }, body: { version: 2 } });
  await recordPromptCalls(service, [LONG_TEXT, second]);
  const policy = await policies.createPolicy({
    body: {
      name: LONG_NAME,
      category: 'budget',
      rules: { daily_cost_limit: 1 },
      scope: { agents: [LONG_NAME] },
    },
  });
  await identity.createApiKey({ body: { name: LONG_NAME, permissions: ['record', 'admin'] } });
  await identity.createUser({ body: { email: `${'m'.repeat(60)}@example.test`, role: 'viewer' } });
  const tenant = await service.byKey.subTenants.createSubTenant({
    body: { name: LONG_NAME, external_id: LONG_NAME, quotas: { max_agents: 3 } },
  });
  await strainSettingsPages(service);
  await service.byOwner.captures.putCaptureAgent({
    body: { device_id: device, app: LONG_NAME, agent_name: LONG_NAME },
  });
  const rule = await inventoryRules.createInventoryRule({
    body: {
      name: LONG_NAME,
      condition: { type: 'listed', kinds: ['cli'], apps: ['*'] },
      action: 'block',
      scope: { devices: [device] },
    },
  });
  const { results } = await inventory.listAppGroups({ query: {} });
  const dashboard = await service.byOwner.dashboards.createDashboard({
    body: { name: LONG_NAME.slice(0, 100), widgets: strainedWidgets, is_shared: true },
  });
  return {
    dashboard: dashboard.id,
    prompt: prompt.id,
    policy: policy.id,
    tenant: tenant.id,
    rule: rule.id,
    app: results[0]?.id,
  };
}

/** Creates an annotation queue with long names. */
async function makeQueue({ byOwner }: TestControlPlane, run: string): Promise<string> {
  const { annotationQueues } = byOwner;
  const common = { name: LONG_NAME.slice(0, 200), description: UNBROKEN };
  const { id: queue_id } = await annotationQueues.createAnnotationQueue({
    body: {
      ...common,
      instructions: `# Read\n\n${LONG_TEXT.slice(0, 500)}\n\n- [Guide](https://example.com/)`,
      scores: [
        { ...common, data_type: 'categorical', values: ['warm', UNBROKEN] },
        { name: 'quality', data_type: 'numeric', min: 1, max: 5 },
        { name: 'polite', data_type: 'boolean', required: false },
      ],
    },
  });
  const params = { queue_id };
  const run_ids = [Number(run), 1, 2];
  await annotationQueues.addAnnotationItems({ params, body: { run_ids } });
  await annotationQueues.claimAnnotationItem({ params });
  return queue_id;
}

/** Creates long names on the pages of the settings, and a root that can be activated. */
async function strainSettingsPages({ byOwner }: TestControlPlane): Promise<void> {
  const masking = {
    enabled: true,
    builtin: ['EMAIL' as const],
    keys: [{ key: UNBROKEN, type: 'LONG' }],
    patterns: [{ name: 'EMPLOYEE_ID', pattern: UNBROKEN }],
  };
  await byOwner.settings.putRecordingSettings({ body: { retention_days: 365, masking } });
  await byOwner.costs.putModelCost({
    params: { model_id: UNBROKEN },
    body: { input_cost_per_million: 999_999.99, output_cost_per_million: 0.000_001 },
  });
  await byOwner.endUsers.putEndUserLimits({
    params: { kind: 'user', id: LONG_NAME.slice(0, 200) },
    body: { monthly_budget: 1_000_000_000, requests_per_minute: 1_000_000 },
  });
  await byOwner.authorities.rotateAuthority({ body: {} });
}

/** One widget for each kind of chart. */
const strainedWidgets = (['number', 'line', 'stacked_bar', 'bar', 'table'] as const).map(
  (chart) => ({
    title: `${chart} ${UNBROKEN.slice(0, 80)}`,
    chart,
    query: { measure: 'cost', group_by: 'user', interval: 'day', top: 20 } as const,
  }),
);

/** Signs in as the owner. */
export async function signInAsOwner(page: Page, { service }: ConsoleWorld): Promise<void> {
  await page.goto(service.urls.public);
  await signIn(page, OWNER);
  await page.locator('#content h1').waitFor();
}

/** Opens a page and waits until it is complete. */
export async function visit(page: Page, { service }: ConsoleWorld, path: string): Promise<void> {
  await page.goto(service.urls.public + path);
  // In a narrow window, the sheet of a trace covers the heading of the page.
  await page.locator('#content :is(h1, h2):visible').first().waitFor();
  await page.waitForFunction(() => document.querySelector('main [aria-busy=true]') === null);
}
