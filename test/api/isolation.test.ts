import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#contract/index.ts';
import type { Route } from '#contract/route.ts';
import { databases } from '../support/databases.ts';
import { fillDevice } from '../support/marked-device.ts';
import { fillTenant, MARK } from '../support/marked-tenant.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

type Ids = Awaited<ReturnType<typeof fillTenant>> & Awaited<ReturnType<typeof fillDevice>>;

/**
 * `names`: what a stranger names of the tenant, which for them is not there. `asks`: what names
 * nothing, and must not answer anything of the tenant. `holds`: why it has nothing of any tenant.
 */
type Case =
  | { names: (ids: Ids) => Named }
  | { asks: (ids: Ids) => { query?: Record<string, string>; body?: unknown } }
  | { holds: string };

interface Named {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

const OWN: Case = { asks: () => ({}) };
const AS_FILE: Case = { asks: () => ({ query: { format: 'jsonl' } }) };
const run = (body?: unknown): Case => ({
  names: ({ run: run_id }) => ({ params: { run_id }, body }),
});
const ofRun: Case = { names: ({ run: id }) => ({ params: { id } }) };
const ofPrompt = (more: Record<string, string> = {}, body?: unknown): Case => ({
  names: ({ prompt: prompt_id }) => ({ params: { prompt_id, ...more }, body }),
});
const ofView = (body?: unknown): Case => ({
  names: ({ view: view_id }) => ({ params: { view_id }, body }),
});
const ofDashboard = (body?: unknown): Case => ({
  names: ({ dashboard: dashboard_id }) => ({ params: { dashboard_id }, body }),
});
const ofPolicy = (more: Record<string, string> = {}, body?: unknown): Case => ({
  names: ({ policy: id }) => ({ params: { id, ...more }, body }),
});
const ofUser = (more: Record<string, string> = {}, body?: unknown): Case => ({
  names: ({ user: id }) => ({ params: { id, ...more }, body }),
});
const ofSub = (body?: unknown): Case => ({
  names: ({ sub: sub_tenant_id }) => ({ params: { sub_tenant_id }, body }),
});
const ofChannel = (body?: unknown): Case => ({
  names: ({ channel: id }) => ({ params: { id }, body }),
});
const ofNotificationRule = (body?: unknown): Case => ({
  names: ({ notificationRule: id }) => ({ params: { id }, body }),
});
const ofApproval = (body?: unknown): Case => ({
  names: ({ approval: id }) => ({ params: { id }, body }),
});
const ofAuthority = (body?: unknown): Case => ({
  names: ({ authority: id }) => ({ params: { id }, body }),
});
const ofDevice = (body?: unknown): Case => ({
  names: ({ device: id }) => ({ params: { id }, body }),
});
const condition = { type: 'listed', apps: ['*'] };
const inventoryRule = { name: 'own', condition };
const ofInventoryRule = (body?: unknown): Case => ({
  names: ({ inventoryRule: id }) => ({ params: { id }, body }),
});
const CERTIFICATE: Case = { holds: 'the client certificate alone says whose device it is' };
const SIGN_IN: Case = { holds: 'whoever signs in says by that who they are' };

const cases: Record<string, Case> = {
  'recording.startRun': {
    names: (ids) => ({ body: { agent_name: 'a', parent_run_id: Number(ids.run) } }),
  },
  'recording.completeRun': run({}),
  'recording.recordLlmCalls': run({ calls: [{ model: 'm', tokens_in: 1, tokens_out: 1 }] }),
  'recording.recordSteps': run({ steps: [{ step_name: 's' }] }),
  'recording.recordSpans': run({ spans: [{ name: 's', kind: 'tool' }] }),
  'recording.recordScores': run({ scores: [{ name: 's', numeric_value: 1 }] }),
  'runs.listRuns': OWN,
  'runs.summarizeRuns': OWN,
  'runs.exportRuns': AS_FILE,
  'runs.getRun': ofRun,
  'runs.getRunTrace': ofRun,
  'runs.searchRunTrace': { names: ({ run: id }) => ({ params: { id }, query: { text: 'a' } }) },
  'runs.listRunLlmCalls': ofRun,
  'runs.listRunSteps': ofRun,
  'runs.listRunSpans': ofRun,
  'runs.listRunScores': ofRun,
  'runs.getStep': { names: ({ run: id, step: step_id }) => ({ params: { id, step_id } }) },
  'runs.getSpan': { names: ({ run: id, span: span_id }) => ({ params: { id, span_id } }) },
  'llmCalls.listLlmCalls': {
    asks: ({ prompt }) => ({ query: { search: MARK, prompt } }),
  },
  'llmCalls.summarizeLlmCalls': OWN,
  'llmCalls.exportLlmCalls': AS_FILE,
  'llmCalls.listLlmCallModels': OWN,
  'llmCalls.getLlmCall': { names: ({ call: call_id }) => ({ params: { call_id } }) },
  'overview.getOverview': OWN,
  'overview.getActivity': OWN,
  'analytics.listSessions': OWN,
  'analytics.summarizeSessions': OWN,
  'analytics.exportSessions': AS_FILE,
  'analytics.getSession': { names: () => ({ params: { session_id: `${MARK}-session` } }) },
  'analytics.listTrackedUsers': OWN,
  'analytics.summarizeTrackedUsers': OWN,
  'analytics.exportTrackedUsers': AS_FILE,
  'analytics.getTrackedUser': { names: () => ({ params: { user_id: `${MARK}-user` } }) },
  'analytics.getModelAnalytics': OWN,
  'codingAgents.getCodingWork': OWN,
  'listViews.listViews': { asks: () => ({ query: { list: 'runs' } }) },
  'listViews.createView': { asks: () => ({ body: { list: 'runs', name: 'own', query: '' } }) },
  'listViews.updateView': ofView({ name: 'n' }),
  'listViews.deleteView': ofView(),
  'listViews.setDefaultView': {
    names: ({ view: view_id }) => ({ params: { list: 'runs' }, body: { view_id } }),
  },
  'analytics.queryAnalytics': {
    asks: () => ({ body: { measure: 'cost', group_by: 'agent', start: '2000-01-01' } }),
  },
  'dashboards.listDashboards': OWN,
  'dashboards.createDashboard': { asks: () => ({ body: { name: 'own' } }) },
  'dashboards.getDashboard': ofDashboard(),
  'dashboards.updateDashboard': ofDashboard({ name: 'n' }),
  'dashboards.deleteDashboard': ofDashboard(),
  'scores.listScores': { asks: ({ run: run_id }) => ({ query: { run_id } }) },
  'scores.summarizeScores': OWN,
  'scores.exportScores': AS_FILE,
  'scores.getScore': { names: ({ score: score_id }) => ({ params: { score_id } }) },
  'scores.createScore': {
    names: (ids) => ({ body: { name: 's', value: 1, run_id: Number(ids.run) } }),
  },
  'scores.getScoreAnalytics': OWN,
  'memory.writeEpisodic': run({ slot_name: 's', scope_key: 's', data: {} }),
  'memory.writeSemantic': run({
    slot_name: 's',
    scope_key: 's',
    content: 'c',
    content_embedding: Array.from({ length: 1536 }, () => 0.1),
  }),
  'memory.readMemory': { asks: () => ({ query: { scope_key: `${MARK}-scope` } }) },
  'memory.searchMemory': {
    asks: () => ({
      body: {
        scope_key: `${MARK}-scope`,
        embedding: Array.from({ length: 1536 }, () => 0.1),
      },
    }),
  },
  'memory.listMemory': OWN,
  'memory.getMemory': { names: ({ slot: id }) => ({ params: { id } }) },
  'memory.deleteMemory': { names: ({ slot: id }) => ({ params: { id } }) },
  'events.recordEvents': { asks: () => ({ body: { events: [{ event_type: 'e' }] } }) },
  'events.listEvents': OWN,
  'events.getEvent': { names: ({ event: event_id }) => ({ params: { event_id } }) },
  'prompts.listPrompts': OWN,
  'prompts.createPrompt': { asks: () => ({ body: { name: 'own', content: 'c' } }) },
  'prompts.getPrompt': ofPrompt(),
  'prompts.updatePrompt': ofPrompt({}, { description: 'd' }),
  'prompts.deletePrompt': ofPrompt(),
  'prompts.listPromptVersions': ofPrompt(),
  'prompts.createPromptVersion': ofPrompt({}, { content: 'c' }),
  'prompts.getPromptVersion': ofPrompt({ version_num: '1' }),
  'prompts.putPromptLabel': ofPrompt({ label: 'live' }, { version: 1 }),
  'prompts.deletePromptLabel': ofPrompt({ label: 'live' }),
  'prompts.listPromptLabelMoves': ofPrompt(),
  'prompts.getPromptMetrics': ofPrompt(),
  'prompts.getPromptPerformance': ofPrompt(),
  'prompts.fetchPrompt': { names: () => ({ params: { name: `${MARK}-prompt` } }) },
  'playground.getPlaygroundProvider': { holds: 'all tenants have the same provider' },
  'playground.runPlayground': { holds: 'it runs what is sent and stores nothing' },
  'playground.comparePlayground': { holds: 'it runs what is sent and stores nothing' },
  'policies.listPolicies': OWN,
  'policies.createPolicy': { asks: () => ({ body: { name: 'own', category: 'operations' } }) },
  'policies.listPolicyCategories': { holds: 'the categories are the same for all' },
  'policies.simulatePolicy': { names: ({ policy: policy_id }) => ({ body: { policy_id } }) },
  'policies.getPolicy': ofPolicy(),
  'policies.replacePolicy': ofPolicy({}, { name: 'n', category: 'operations' }),
  'policies.updatePolicy': ofPolicy({}, { enabled: false }),
  'policies.deletePolicy': ofPolicy(),
  'policies.listPolicyVersions': ofPolicy(),
  'policies.getPolicyVersion': ofPolicy({ version: '1' }),
  'policies.restorePolicyVersion': ofPolicy({ version: '1' }, {}),
  'costs.listModelCosts': OWN,
  'costs.findRecomputation': { holds: 'there is none before one is started' },
  'costs.startRecomputation': { asks: () => ({ body: {} }) },
  'costs.putModelCost': {
    holds: 'a model name is each tenant’s own: setting it sets nothing of another',
  },
  'costs.deleteModelCost': { names: () => ({ params: { model_id: `${MARK}-own` } }) },
  'costs.listUnpriced': OWN,
  'otel.exportTraces': { holds: 'a trace id is each tenant’s own' },
  'otel.exportLogs': { holds: 'a session is each tenant’s own' },
  'otel.exportMetrics': { holds: 'names are counted for the tenant of the key' },
  'otel.listUnmappedAttributes': OWN,
  'otel.listRejectedSpans': OWN,
  'otel.listReceivedMetrics': OWN,
  'settings.getRecordingSettings': OWN,
  'settings.putRecordingSettings': {
    asks: () => ({
      body: {
        retention_days: null,
        masking: { enabled: false, builtin: [], keys: [], patterns: [] },
      },
    }),
  },
  'settings.tryMasking': { holds: 'it masks what is sent and stores nothing' },
  'audit.listAuditEntries': OWN,
  'audit.summarizeAuditEntries': OWN,
  'audit.exportAuditEntries': AS_FILE,
  'audit.startAuditExport': { asks: () => ({ body: { format: 'json' } }) },
  'audit.findAuditExport': { names: (ids) => ({ params: { export_id: ids.export } }) },
  'audit.downloadAuditExport': { holds: 'the signed link is the credential' },
  'evaluations.checkPolicy': { asks: () => ({ body: { agent_name: `${MARK}-agent`.slice(3) } }) },
  'evaluations.listEvaluations': { asks: ({ run: run_id }) => ({ query: { run_id } }) },
  'incidents.listIncidents': OWN,
  'incidents.listIncidentGroups': OWN,
  'incidents.exportIncidents': AS_FILE,
  'incidents.listAssignees': OWN,
  'incidents.updateIncidents': {
    asks: ({ incident }) => ({
      body: { filter: { ids: [incident] }, changes: { status: 'resolved' } },
    }),
  },
  'incidents.getIncident': { names: ({ incident: id }) => ({ params: { id } }) },
  'incidents.updateIncident': {
    names: ({ incident: id }) => ({ params: { id }, body: { status: 'resolved' } }),
  },
  'endUsers.listEndUserLimits': OWN,
  'endUsers.putEndUserLimits': { holds: 'the id of an end user is each tenant’s own' },
  'endUsers.deleteEndUserLimits': {
    names: () => ({ params: { kind: 'user', id: `${MARK}-customer` } }),
  },
  'identity.listSignInMethods': SIGN_IN,
  'identity.login': SIGN_IN,
  'identity.startOidcSignIn': SIGN_IN,
  'identity.finishOidcSignIn': SIGN_IN,
  'identity.logout': { holds: 'it ends the session that it is sent with' },
  'identity.me': OWN,
  'identity.changePassword': { holds: 'it changes the password of whoever sends it' },
  'identity.listBrowserSessions': OWN,
  'identity.addBrowserSession': SIGN_IN,
  'identity.switchBrowserSession': {
    names: ({ session: session_id }) => ({ body: { session_id } }),
  },
  'identity.listSessions': OWN,
  'identity.endOtherSessions': { holds: 'it ends other sessions of whoever sends it' },
  'identity.endSession': { names: ({ session: id }) => ({ params: { id } }) },
  'identity.listUsers': OWN,
  'identity.createUser': { asks: () => ({ body: { email: 'new@other.test', role: 'viewer' } }) },
  'identity.getUser': ofUser(),
  'identity.updateUser': ofUser({}, { role: 'admin' }),
  'identity.deleteUser': ofUser(),
  'identity.resetPassword': ofUser({}, {}),
  'identity.listUserSessions': ofUser(),
  'identity.endUserSessions': ofUser(),
  'identity.endUserSession': {
    names: ({ user: id, session: session_id }) => ({ params: { id, session_id } }),
  },
  'identity.getSignInSettings': OWN,
  'identity.getIdentitySettings': OWN,
  'identity.putIdentitySettings': { holds: 'it sets what holds for the tenant that sends it' },
  'identity.listApiKeys': OWN,
  'identity.createApiKey': { asks: () => ({ body: { name: 'k', permissions: ['record'] } }) },
  'identity.rotateApiKey': { names: ({ key: id }) => ({ params: { id }, body: {} }) },
  'identity.revokeApiKey': { names: ({ key: id }) => ({ params: { id } }) },
  'subTenants.listSubTenants': OWN,
  'subTenants.createSubTenant': { asks: () => ({ body: { name: 'own' } }) },
  'subTenants.getSubTenant': ofSub(),
  'subTenants.updateSubTenant': ofSub({ name: 'n' }),
  'subTenants.suspendSubTenant': ofSub({ reason: 'r' }),
  'subTenants.resumeSubTenant': ofSub(),
  'subUsers.issueSubUserToken': { asks: () => ({ body: { sub_user_id: 'own' } }) },
  'subUsers.validateSubUserToken': { asks: ({ token }) => ({ body: { token } }) },
  'subUsers.revokeSubUser': { holds: 'the id of a sub-user is each tenant’s own' },
  'enterprise.listRegions': { holds: 'the regions are the same for all' },
  'enterprise.getTenantRegion': OWN,
  'enterprise.setTenantRegion': { holds: 'it sets the region of the tenant that sends it' },
  'enterprise.listAddOns': { holds: 'the catalogue is the same for all' },
  'enterprise.listTenantAddOns': OWN,
  'enterprise.activateAddOn': { holds: 'it activates for the tenant that sends it' },
  'enterprise.cancelAddOn': { holds: 'it cancels for the tenant that sends it' },
  'enterprise.listComplianceIncidents': OWN,
  'devices.listDevices': OWN,
  'devices.summarizeDevices': OWN,
  'devices.exportDevices': AS_FILE,
  'devices.getDevice': ofDevice(),
  'inventory.listApps': OWN,
  'inventory.summarizeApps': OWN,
  'inventory.exportApps': AS_FILE,
  'inventory.summarizeAppGroups': OWN,
  'inventory.exportAppGroups': AS_FILE,
  'flows.listFlows': OWN,
  'flows.summarizeFlows': OWN,
  'flows.groupFlows': OWN,
  'flows.exportFlows': AS_FILE,
  'inventory.listAppGroups': OWN,
  'inventory.getAppGroup': { names: ({ appGroup: id }) => ({ params: { id } }) },
  'inventoryRules.listInventoryRules': OWN,
  'inventoryRules.createInventoryRule': { asks: () => ({ body: inventoryRule }) },
  'inventoryRules.previewInventoryRule': {
    asks: () => ({ body: { condition: inventoryRule.condition } }),
  },
  'inventoryRules.getInventoryRule': ofInventoryRule(),
  'inventoryRules.replaceInventoryRule': ofInventoryRule({ name: 'n', condition }),
  'inventoryRules.deleteInventoryRule': ofInventoryRule(),
  'captures.listCaptures': OWN,
  'captures.summarizeCaptures': OWN,
  'captures.exportCaptures': AS_FILE,
  'captures.getCapture': { names: ({ capture: id }) => ({ params: { id } }) },
  'captures.listCaptureAgents': OWN,
  'captures.putCaptureAgent': {
    names: ({ device: device_id }) => ({ body: { device_id, app: null, agent_name: 'a' } }),
  },
  'captures.deleteCaptureAgent': {
    names: ({ device: device_id }) => ({ query: { device_id, app: `${MARK}-app` } }),
  },
  'guard.listCatalog': { holds: 'the catalog is the same for all' },
  'guard.listLayers': OWN,
  'guard.putLayer': {
    asks: () => ({ body: { layer: 'user_group', scope: 'own', config: {} } }),
  },
  'guard.previewLayer': {
    asks: () => ({ body: { layer: 'global', config: { blocked_hosts: ['x.example'] } } }),
  },
  'guard.updateLayer': {
    names: ({ layer: id }) => ({ params: { id }, body: { config: {} } }),
  },
  'guard.deleteLayer': { names: ({ layer: id }) => ({ params: { id } }) },
  'guard.listGuardHistory': OWN,
  'guard.revertGuardChange': { names: ({ change: id }) => ({ params: { id }, body: {} }) },
  'guard.resolveGuard': { asks: () => ({ query: { user_group: `${MARK}-group` } }) },
  'device.enroll': { holds: 'the key says to which tenant a device enrolls' },
  'device.renew': CERTIFICATE,
  'device.getConfig': CERTIFICATE,
  'device.reportInventory': CERTIFICATE,
  'device.reportFlows': CERTIFICATE,
  'device.reportCaptures': CERTIFICATE,
  'device.checkCall': CERTIFICATE,
  'device.getToolPolicies': CERTIFICATE,
  'device.checkTool': CERTIFICATE,
  'device.reportToolCalls': CERTIFICATE,
  'device.issueRecordingKey': CERTIFICATE,
  'device.heartbeat': CERTIFICATE,
  'appSettings.getAppSettings': OWN,
  'appSettings.putAppSettings': {
    asks: () => ({ body: { contact: 'c', contact_address: null, newest_version: null } }),
  },
  'enrollment.getEnrollmentSettings': OWN,
  'enrollment.putEnrollmentSettings': {
    asks: () => ({ body: { require_approval: false, new_devices_per_hour: 3000 } }),
  },
  'enrollment.approveDevice': ofDevice({}),
  'enrollment.revokeDevice': ofDevice({ reason: 'r' }),
  'enrollment.restoreDevice': ofDevice({}),
  'authorities.listAuthorities': OWN,
  'authorities.getAuthorityCertificate': ofAuthority(),
  'authorities.rotateAuthority': { asks: () => ({ body: {} }) },
  'authorities.activateAuthority': ofAuthority({}),
  'authorities.retireAuthority': ofAuthority({}),
  'authorities.getCrl': {
    holds: 'revoked serials are no secret: every certificate names its list',
  },
  'est.getCaCertificates': { holds: 'the roots are no secret' },
  'est.getCsrAttributes': { holds: 'it is the same for all' },
  'est.simpleEnroll': { holds: 'the key says to which tenant a device enrolls' },
  'est.simpleReenroll': CERTIFICATE,
  'deployment.getMdmProfile': { holds: 'it carries the key and the root of the tenant that asks' },
  'deployment.createMdmProfile': { holds: 'as the one that a key asks for' },
  'deployment.downloadInstaller': { holds: 'the package is the same for all, and of no tenant' },
  'deployment.getInstaller': { holds: 'the package is the same for all, and of no tenant' },
  'approvals.listApprovals': OWN,
  'approvals.getApproval': ofApproval(),
  'approvals.approve': ofApproval({}),
  'approvals.decideApprovals': {
    asks: ({ approval }) => ({ body: { ids: [approval], decision: 'deny' } }),
  },
  'approvals.deny': ofApproval({}),
  'notifications.listChannels': OWN,
  'notifications.createChannel': {
    asks: () => ({ body: { kind: 'webhook', name: 'own', url: 'https://hooks.other.test/' } }),
  },
  'notifications.updateChannel': ofChannel({ name: 'n' }),
  'notifications.rotateChannelSecret': ofChannel(),
  'notifications.testChannel': ofChannel(),
  'notifications.deleteChannel': ofChannel(),
  'notifications.listNotificationRules': OWN,
  'notifications.createNotificationRule': {
    names: ({ channel }) => ({
      body: { name: 'own', events: ['device.revoked'], channel_ids: [channel] },
    }),
  },
  'notifications.replaceNotificationRule': ofNotificationRule({
    name: 'n',
    events: ['device.revoked'],
    channel_ids: ['nch_1'],
  }),
  'notifications.deleteNotificationRule': ofNotificationRule(),
  'notifications.listDeliveries': OWN,
  'notifications.redeliver': { names: ({ delivery: id }) => ({ params: { id } }) },
  'notifications.readDecisionLink': { holds: 'the signed link is the credential' },
  'notifications.decideByLink': { holds: 'the signed link is the credential' },
  'service.healthz': { holds: 'it says only that the service is there' },
  'service.metrics': { holds: 'numbers of the whole installation, for whoever runs it' },
  'service.readyz': { holds: 'it says only that the service is there' },
};

const routes = Object.entries(contract).flatMap(([group, of]) =>
  Object.entries(of).map(([name, route]): [string, Route] => [`${group}.${name}`, route]),
);

test('every route of the contract has its case', () => {
  expect(Object.keys(cases).toSorted()).toEqual(routes.map(([name]) => name).toSorted());
});

describe.each(databases)('a stranger on %s', (kind) => {
  let tenants: TwoTenants;
  let ids: Ids;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
    const { one, urls } = tenants;
    ids = { ...(await fillTenant(one)), ...(await fillDevice({ ...one, urls })) };
  });
  afterAll(() => tenants.stop());

  /** As the other tenant's owner, or with its key where the route wants one. */
  const ask = (who: 'one' | 'other', route: Route, { params = {}, query = {}, body }: Named) => {
    const { key, owner } = tenants[who].headers;
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
    return fetch(`${tenants.urls.public}${path}?${new URLSearchParams(query).toString()}`, {
      method: route.method,
      headers: {
        ...(route.auth === 'session' ? owner : key),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  const tried = routes.map(([name, route]) => [name, route, cases[name] ?? { holds: '' }] as const);

  test.each(tried.filter(([, , one]) => 'names' in one))(
    '%s: what is of another tenant is not there',
    async (_name, route, one) => {
      const named = 'names' in one ? one.names(ids) : {};
      const answer = await ask('other', route, named);
      expect([answer.status, await answer.text()]).toEqual([404, expect.any(String)]);
      expect(answer.headers.get('x-error-reason')).toBe('not_found');
    },
  );

  test.each(tried.filter(([, , one]) => 'asks' in one))(
    '%s: nothing of another tenant is answered',
    async (_name, route, one) => {
      const answer = await ask('other', route, 'asks' in one ? one.asks(ids) : {});
      const text = await answer.text();
      expect([answer.status < 300, text]).toEqual([true, expect.not.stringContaining(MARK)]);
    },
  );

  test.each([
    'runs.exportRuns',
    'llmCalls.exportLlmCalls',
    'scores.exportScores',
    'analytics.exportSessions',
    'analytics.exportTrackedUsers',
    'incidents.exportIncidents',
    'listViews.listViews',
    'analytics.queryAnalytics',
    'dashboards.listDashboards',
    'devices.listDevices',
    'devices.exportDevices',
    'inventory.listApps',
    'inventory.exportApps',
    'inventory.exportAppGroups',
    'flows.listFlows',
    'flows.groupFlows',
    'flows.exportFlows',
    'inventory.listAppGroups',
    'inventoryRules.listInventoryRules',
    'inventoryRules.previewInventoryRule',
    'captures.listCaptures',
    'captures.exportCaptures',
    'captures.listCaptureAgents',
    'guard.listLayers',
    'guard.listGuardHistory',
    'notifications.listChannels',
    'notifications.listNotificationRules',
    'notifications.listDeliveries',
    'guard.resolveGuard',
  ])('%s answers its own tenant what it keeps from others', async (name) => {
    const [, route, one] = tried.find(([other]) => other === name) ?? [];
    if (!route || !one || !('asks' in one)) throw new Error(`no case asks ${name}`);
    expect(await (await ask('one', route, one.asks(ids))).text()).toContain(MARK);
  });

  test('everything is still there for its own tenant', async () => {
    const readable = tried.filter(([, route, one]) => 'names' in one && route.method === 'GET');
    const statuses: [string, number][] = [];
    for (const [name, route, one] of readable) {
      const answer = await ask('one', route, 'names' in one ? one.names(ids) : {});
      statuses.push([name, answer.status]);
    }
    expect(statuses).toEqual(readable.map(([name]) => [name, 200]));
    const [policy, approval] = await Promise.all([
      tenants.one.byKey.policies.getPolicy({ params: { id: ids.policy } }),
      tenants.one.byKey.approvals.getApproval({ params: { id: ids.approval } }),
    ]);
    expect([policy.enabled, policy.version, approval.status]).toEqual([true, 1, 'pending']);
  });
});
