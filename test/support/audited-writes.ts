import type { AuditedService } from './audit-log.ts';
import { OWNER, type TestClient } from './control-plane.ts';
import { enrollDevice } from './device.ts';
import { eventually } from './processes.ts';

/** Prepares a write, and answers what does it, and whose log it is in unless the first tenant's. */
type Write = (service: AuditedService) => Promise<Prepared>;
type Prepared = (() => Promise<unknown>) & { by?: TestClient };

const PASSWORD = 'a long enough pass phrase';

let made = 0;
/** A name that nothing has yet. */
const fresh = (what: string): string => `${what}-${(made += 1)}`;

/**
 * How to do every write that an administrator can do, by group and name of its route. Each leaves
 * exactly one entry in the audit log. What is a GET and yet writes is here too.
 */
export const auditedWrites: Readonly<Record<string, Write>> = {
  'scores.createScore': async ({ byKey, byOwner }) => {
    const run_id = Number(await startRun(byKey));
    const body = { run_id, name: 'quality', value: 1 };
    return () => byOwner.scores.createScore({ body });
  },
  'memory.deleteMemory': async ({ byKey, byOwner }) => {
    const params = { run_id: await startRun(byKey) };
    const slot = {
      memory_type: 'value',
      scope_key: 's',
      slot_name: fresh('slot'),
      data: 1,
    } as const;
    const { slot_id } = await byKey.memory.writeEpisodic({ params, body: slot });
    return () => byOwner.memory.deleteMemory({ params: { id: slot_id } });
  },

  'listViews.createView': ({ byOwner }) =>
    Promise.resolve(() => byOwner.listViews.createView({ body: viewBody() })),
  'listViews.updateView': async ({ byOwner }) => {
    const params = await makeView(byOwner);
    return () => byOwner.listViews.updateView({ params, body: { is_shared: true } });
  },
  'listViews.deleteView': async ({ byOwner }) => {
    const params = await makeView(byOwner);
    return () => byOwner.listViews.deleteView({ params });
  },
  'listViews.setDefaultView': async ({ byOwner }) => {
    const body = await makeView(byOwner);
    return () => byOwner.listViews.setDefaultView({ params: { list: 'runs' }, body });
  },

  'dashboards.createDashboard': ({ byOwner }) =>
    Promise.resolve(() =>
      byOwner.dashboards.createDashboard({ body: { name: fresh('dashboard') } }),
    ),
  'dashboards.updateDashboard': async ({ byOwner }) => {
    const params = await makeDashboard(byOwner);
    return () => byOwner.dashboards.updateDashboard({ params, body: { is_shared: true } });
  },
  'dashboards.deleteDashboard': async ({ byOwner }) => {
    const params = await makeDashboard(byOwner);
    return () => byOwner.dashboards.deleteDashboard({ params });
  },

  'prompts.createPrompt': ({ byOwner }) => {
    const body = { name: fresh('prompt'), content: 'x' };
    return Promise.resolve(() => byOwner.prompts.createPrompt({ body }));
  },
  'prompts.updatePrompt': async ({ byOwner }) => {
    const params = await makePrompt(byOwner);
    return () => byOwner.prompts.updatePrompt({ params, body: { description: 'changed' } });
  },
  'prompts.deletePrompt': async ({ byOwner }) => {
    const params = await makePrompt(byOwner);
    return () => byOwner.prompts.deletePrompt({ params });
  },
  'prompts.createPromptVersion': async ({ byOwner }) => {
    const params = await makePrompt(byOwner);
    return () => byOwner.prompts.createPromptVersion({ params, body: { content: 'y' } });
  },
  'prompts.putPromptLabel': async ({ byOwner }) => {
    const params = { ...(await makePrompt(byOwner)), label: 'live' };
    return () => byOwner.prompts.putPromptLabel({ params, body: { version: 1 } });
  },
  'prompts.deletePromptLabel': async ({ byOwner }) => {
    const params = { ...(await makePrompt(byOwner)), label: 'live' };
    await byOwner.prompts.putPromptLabel({ params, body: { version: 1 } });
    return () => byOwner.prompts.deletePromptLabel({ params });
  },

  'notifications.createChannel': ({ byKey }) => Promise.resolve(() => addChannel(byKey)),
  'notifications.updateChannel': async ({ byKey }) => {
    const params = await addChannel(byKey);
    return () => byKey.notifications.updateChannel({ params, body: { name: fresh('channel') } });
  },
  'notifications.rotateChannelSecret': async ({ byKey }) => {
    const params = await addChannel(byKey);
    return () => byKey.notifications.rotateChannelSecret({ params });
  },
  'notifications.testChannel': async ({ byKey }) => {
    const params = await addChannel(byKey, 'https://127.0.0.1:1/');
    return () => byKey.notifications.testChannel({ params });
  },
  'notifications.deleteChannel': async ({ byKey }) => {
    const params = await addChannel(byKey);
    return () => byKey.notifications.deleteChannel({ params });
  },
  'notifications.createNotificationRule': async ({ byKey }) => {
    const body = ruleFor((await addChannel(byKey)).id);
    return () => byKey.notifications.createNotificationRule({ body });
  },
  'notifications.replaceNotificationRule': async ({ byKey }) => {
    const { channel, id } = await addNotificationRule(byKey);
    const body = ruleFor(channel);
    return () => byKey.notifications.replaceNotificationRule({ params: { id }, body });
  },
  'notifications.deleteNotificationRule': async ({ byKey }) => {
    const { id } = await addNotificationRule(byKey);
    return () => byKey.notifications.deleteNotificationRule({ params: { id } });
  },
  'notifications.redeliver': async ({ byKey }) => {
    const params = await failedDelivery(byKey);
    return () => byKey.notifications.redeliver({ params });
  },

  'policies.createPolicy': ({ byKey }) => {
    const body = policy();
    return Promise.resolve(() => byKey.policies.createPolicy({ body }));
  },
  'policies.replacePolicy': async ({ byKey }) => {
    const params = await makePolicy(byKey);
    return () => byKey.policies.replacePolicy({ params, body: policy() });
  },
  'policies.updatePolicy': async ({ byKey }) => {
    const params = await makePolicy(byKey);
    return () => byKey.policies.updatePolicy({ params, body: { enabled: false } });
  },
  'policies.deletePolicy': async ({ byKey }) => {
    const params = await makePolicy(byKey);
    return () => byKey.policies.deletePolicy({ params, query: {} });
  },
  'policies.restorePolicyVersion': async ({ byKey }) => {
    const params = await makePolicy(byKey);
    await byKey.policies.updatePolicy({ params, body: { enabled: false } });
    return () =>
      byKey.policies.restorePolicyVersion({ params: { ...params, version: '1' }, body: {} });
  },
  'endUsers.putEndUserLimits': ({ byKey }) => {
    const params = { kind: 'user', id: fresh('customer') } as const;
    const body = { monthly_budget: 1, requests_per_minute: null };
    return Promise.resolve(() => byKey.endUsers.putEndUserLimits({ params, body }));
  },
  'endUsers.deleteEndUserLimits': async ({ byKey }) => {
    const params = { kind: 'user', id: fresh('customer') } as const;
    const body = { monthly_budget: 1, requests_per_minute: null };
    await byKey.endUsers.putEndUserLimits({ params, body });
    return () => byKey.endUsers.deleteEndUserLimits({ params });
  },
  'incidents.updateIncident': async (service) => {
    const params = { id: await makeIncident(service) };
    const body = { status: 'acknowledged' } as const;
    return () => service.byOwner.incidents.updateIncident({ params, body });
  },
  'incidents.updateIncidents': async (service) => {
    const filter = { ids: [await makeIncident(service)] };
    const changes = { severity: 'high' } as const;
    return () => service.byOwner.incidents.updateIncidents({ body: { filter, changes } });
  },
  'approvals.approve': async ({ byKey, byOwner }) => {
    const params = { id: await askForApproval(byKey) };
    return () => byOwner.approvals.approve({ params, body: {} });
  },
  'approvals.decideApprovals': async ({ byKey, byOwner }) => {
    const ids = [await askForApproval(byKey)];
    return () => byOwner.approvals.decideApprovals({ body: { ids, decision: 'deny' } });
  },
  'approvals.deny': async ({ byKey, byOwner }) => {
    const params = { id: await askForApproval(byKey) };
    return () => byOwner.approvals.deny({ params, body: {} });
  },

  'costs.startRecomputation': ({ byKey }) =>
    Promise.resolve(() => byKey.costs.startRecomputation({ body: { dry_run: true } })),
  'costs.putModelCost': ({ byKey }) => {
    const body = { input_cost_per_million: 1, output_cost_per_million: 2 };
    const params = { model_id: fresh('model') };
    return Promise.resolve(() => byKey.costs.putModelCost({ params, body }));
  },
  'costs.deleteModelCost': async ({ byKey }) => {
    const body = { input_cost_per_million: 1, output_cost_per_million: 2 };
    const params = { model_id: fresh('model') };
    await byKey.costs.putModelCost({ params, body });
    return () => byKey.costs.deleteModelCost({ params });
  },
  'settings.putRecordingSettings': async ({ byOwner }) => {
    const body = await byOwner.settings.getRecordingSettings();
    return () => byOwner.settings.putRecordingSettings({ body });
  },
  'audit.startAuditExport': ({ byKey }) =>
    Promise.resolve(() => byKey.audit.startAuditExport({ body: {} })),

  'captures.putCaptureAgent': ({ byOwner }) => {
    const body = { device_id: null, app: fresh('app'), agent_name: 'agent' };
    return Promise.resolve(() => byOwner.captures.putCaptureAgent({ body }));
  },
  'captures.deleteCaptureAgent': async ({ byOwner }) => {
    const app = fresh('app');
    const body = { device_id: null, app, agent_name: 'agent' };
    await byOwner.captures.putCaptureAgent({ body });
    return () => byOwner.captures.deleteCaptureAgent({ query: { app } });
  },
  'guard.putLayer': ({ byOwner }) => Promise.resolve(() => putLayer(byOwner)),
  'guard.updateLayer': async ({ byOwner }) => {
    const params = { id: (await putLayer(byOwner)).id };
    return () => byOwner.guard.updateLayer({ params, body: { config: {} } });
  },
  'guard.revertGuardChange': async ({ byOwner }) => {
    const { scope } = await putLayer(byOwner);
    const query = { layer: 'agent', scope: scope ?? '' } as const;
    const { results } = await byOwner.guard.listGuardHistory({ query });
    const params = { id: results[0]?.id ?? '' };
    return () => byOwner.guard.revertGuardChange({ params, body: {} });
  },
  'guard.deleteLayer': async ({ byOwner }) => {
    const params = { id: (await putLayer(byOwner)).id };
    return () => byOwner.guard.deleteLayer({ params });
  },
  'appSettings.putAppSettings': async ({ byOwner }) => {
    const body = await byOwner.appSettings.getAppSettings();
    return () => byOwner.appSettings.putAppSettings({ body });
  },
  'inventoryRules.createInventoryRule': ({ byOwner }) =>
    Promise.resolve(() => makeInventoryRule(byOwner)),
  'inventoryRules.replaceInventoryRule': async ({ byOwner }) => {
    const { id, name } = await makeInventoryRule(byOwner);
    const body = { name, condition: { type: 'listed' as const, apps: ['y'] } };
    return () => byOwner.inventoryRules.replaceInventoryRule({ params: { id }, body });
  },
  'inventoryRules.deleteInventoryRule': async ({ byOwner }) => {
    const params = { id: (await makeInventoryRule(byOwner)).id };
    return () => byOwner.inventoryRules.deleteInventoryRule({ params });
  },
  'enrollment.putEnrollmentSettings': async ({ byOwner }) => {
    const body = await byOwner.enrollment.getEnrollmentSettings();
    return () => byOwner.enrollment.putEnrollmentSettings({ body });
  },
  'enrollment.approveDevice': async (service) => {
    const params = { id: await makeWaitingDevice(service) };
    return () => service.byKey.enrollment.approveDevice({ params, body: {} });
  },
  'enrollment.revokeDevice': async (service) => {
    const params = { id: (await enrollDevice(service, fresh('hardware'))).id };
    return () => service.byKey.enrollment.revokeDevice({ params, body: { reason: 'lost' } });
  },
  'enrollment.restoreDevice': async (service) => {
    const params = { id: (await enrollDevice(service, fresh('hardware'))).id };
    await service.byKey.enrollment.revokeDevice({ params, body: {} });
    return () => service.byKey.enrollment.restoreDevice({ params, body: {} });
  },
  'authorities.rotateAuthority': ({ byKey }) =>
    Promise.resolve(() => byKey.authorities.rotateAuthority({ body: {} })),
  // The next root is the one of the rotation before.
  'authorities.activateAuthority': async ({ byKey }) => {
    const params = await findAuthority(byKey, 'next');
    return () => byKey.authorities.activateAuthority({ params, body: {} });
  },
  'authorities.retireAuthority': async ({ byKey }) => {
    const params = await findAuthority(byKey, 'previous');
    return () => byKey.authorities.retireAuthority({ params, body: { force: true } });
  },
  'deployment.createMdmProfile': ({ byOwner }) =>
    Promise.resolve(() => byOwner.deployment.createMdmProfile({ body: {} })),
  'deployment.getMdmProfile': ({ byKey }) =>
    Promise.resolve(() => byKey.deployment.getMdmProfile({ query: {} })),

  'identity.addBrowserSession': ({ byOwner }) =>
    Promise.resolve(() => byOwner.identity.addBrowserSession({ body: OWNER })),
  'identity.login': (service) =>
    Promise.resolve(() => service.by({}).identity.login({ body: OWNER })),
  'identity.logout': async (service) => {
    const session = await signIn(service, OWNER);
    return () => session.identity.logout();
  },
  'identity.changePassword': async (service) => {
    const { session } = await makeSession(service);
    const body = { current_password: PASSWORD, new_password: `another ${PASSWORD}` };
    return () => session.identity.changePassword({ body });
  },
  'identity.endOtherSessions': async (service) => {
    const { session, user } = await makeSession(service);
    await signIn(service, user);
    return () => session.identity.endOtherSessions();
  },
  'identity.endSession': async (service) => {
    const { session, user } = await makeSession(service);
    await signIn(service, user);
    const { results } = await session.identity.listSessions();
    const id = results.find(({ current }) => !current)?.id ?? '';
    return () => session.identity.endSession({ params: { id } });
  },
  'identity.createUser': ({ byOwner }) => {
    const body = { email: `${fresh('user')}@example.test`, role: 'viewer' } as const;
    return Promise.resolve(() => byOwner.identity.createUser({ body }));
  },
  'identity.updateUser': async (service) => {
    const { params } = await makeUser(service);
    return () => service.byOwner.identity.updateUser({ params, body: { role: 'analyst' } });
  },
  'identity.deleteUser': async (service) => {
    const { params } = await makeUser(service);
    return () => service.byOwner.identity.deleteUser({ params });
  },
  'identity.resetPassword': async (service) => {
    const { params } = await makeUser(service);
    return () => service.byOwner.identity.resetPassword({ params });
  },
  'identity.endUserSessions': async (service) => {
    const { params } = await makeSession(service);
    return () => service.byOwner.identity.endUserSessions({ params });
  },
  'identity.endUserSession': async (service) => {
    const { params } = await makeSession(service);
    const { results } = await service.byOwner.identity.listUserSessions({ params });
    const session_id = results[0]?.id ?? '';
    return () => service.byOwner.identity.endUserSession({ params: { ...params, session_id } });
  },
  'identity.putIdentitySettings': ({ byOwner }) =>
    Promise.resolve(() =>
      byOwner.identity.putIdentitySettings({ body: { password_max_age_days: 365 } }),
    ),
  'identity.createApiKey': ({ byOwner }) => Promise.resolve(() => makeKey(byOwner)),
  'identity.rotateApiKey': async ({ byOwner }) => {
    const params = { id: (await makeKey(byOwner)).id };
    return () => byOwner.identity.rotateApiKey({ params, body: {} });
  },
  'identity.revokeApiKey': async ({ byOwner }) => {
    const params = { id: (await makeKey(byOwner)).id };
    return () => byOwner.identity.revokeApiKey({ params });
  },

  'subTenants.createSubTenant': ({ byKey }) => {
    const body = { name: fresh('sub-tenant') };
    return Promise.resolve(() => byKey.subTenants.createSubTenant({ body }));
  },
  'subTenants.updateSubTenant': async ({ byKey }) => {
    const params = await makeSubTenant(byKey);
    return () => byKey.subTenants.updateSubTenant({ params, body: { external_id: fresh('crm') } });
  },
  'subTenants.suspendSubTenant': async ({ byKey }) => {
    const params = await makeSubTenant(byKey);
    return () => byKey.subTenants.suspendSubTenant({ params, body: {} });
  },
  'subTenants.resumeSubTenant': async ({ byKey }) => {
    const params = await makeSubTenant(byKey);
    await byKey.subTenants.suspendSubTenant({ params, body: {} });
    return () => byKey.subTenants.resumeSubTenant({ params });
  },
  'subUsers.issueSubUserToken': ({ byKey }) => {
    const body = { sub_user_id: fresh('sub-user') };
    return Promise.resolve(() => byKey.subUsers.issueSubUserToken({ body }));
  },
  'subUsers.revokeSubUser': async ({ byKey }) => {
    const params = { sub_user_id: fresh('sub-user') };
    await byKey.subUsers.issueSubUserToken({ body: params });
    return () => byKey.subUsers.revokeSubUser({ params });
  },
  'enterprise.setTenantRegion': async ({ byKey }) => {
    const { regions } = await byKey.enterprise.listRegions();
    const body = { region_code: regions.at(-1)?.code ?? '' };
    return () => byKey.enterprise.setTenantRegion({ body });
  },
  // The first tenant begins with all of them.
  'enterprise.activateAddOn': async (service) => {
    const by = await signInBelow(service);
    return Object.assign(() => activate(by), { by });
  },
  'enterprise.cancelAddOn': async (service) => {
    const by = await signInBelow(service);
    await activate(by);
    const params = { add_on_code: 'insights' };
    return Object.assign(() => by.enterprise.cancelAddOn({ params }), { by });
  },
};

const RECORDING = 'what agents record: it is the record itself';
const DEVICE = 'what a device tells of itself';
const READING = 'reads: nothing is stored';

/** Whatever else is no GET, with the reason why it is not in the audit log. */
const addChannel = async (byKey: TestClient, url = 'https://hooks.example.test/') => {
  const body = { kind: 'webhook', name: fresh('channel'), url } as const;
  return { id: (await byKey.notifications.createChannel({ body })).id };
};

const ruleFor = (id: string) => ({
  name: fresh('rule'),
  events: ['approval.requested' as const],
  channel_ids: [id],
  group_seconds: 5,
});

const addNotificationRule = async (byKey: TestClient) => {
  const channel = await addChannel(byKey);
  const body = ruleFor(channel.id);
  const { id } = await byKey.notifications.createNotificationRule({ body });
  return { channel: channel.id, id };
};

/** A message that was given up: its receiver is on a private address. */
async function failedDelivery(byKey: TestClient) {
  const { id } = await addChannel(byKey, 'https://127.0.0.1:1/');
  await byKey.notifications.createNotificationRule({ body: ruleFor(id) });
  const agent_name = fresh('agent');
  const rules = { require_approval_for: ['session-start'] };
  const scope = { agents: [agent_name] };
  await byKey.policies.createPolicy({
    body: { name: fresh('approving'), category: 'approval', rules, scope },
  });
  await byKey.evaluations.checkPolicy({ body: { agent_name, workflow_name: 'deploy' } });
  const query = { channel_id: id, status: 'failed' } as const;
  const delivery = await eventually(
    async () => (await byKey.notifications.listDeliveries({ query })).results[0],
    (found) => found !== undefined,
  );
  return { id: delivery?.id ?? '' };
}

export const unauditedRoutes: Readonly<Record<string, string>> = {
  'recording.startRun': RECORDING,
  'recording.completeRun': RECORDING,
  'recording.recordLlmCalls': RECORDING,
  'recording.recordSteps': RECORDING,
  'recording.recordSpans': RECORDING,
  'recording.recordScores': RECORDING,
  'memory.writeEpisodic': RECORDING,
  'memory.writeSemantic': RECORDING,
  'memory.searchMemory': READING,
  'events.recordEvents': RECORDING,
  'otel.exportTraces': RECORDING,
  'evaluations.checkPolicy': 'each check has an evaluation record of its own',
  'otel.exportLogs': RECORDING,
  'otel.exportMetrics': RECORDING,
  'notifications.readDecisionLink': READING,
  'notifications.decideByLink': 'needs a message with a link: in test/api/decision-links.test.ts',
  'playground.runPlayground': READING,
  'playground.comparePlayground': READING,
  'analytics.queryAnalytics': READING,
  'identity.switchBrowserSession': 'chooses among sessions whose sign-in is in the log',
  'settings.tryMasking': READING,
  'policies.simulatePolicy': READING,
  'inventoryRules.previewInventoryRule': READING,
  'guard.previewLayer': READING,
  'subUsers.validateSubUserToken': READING,
  'deployment.downloadInstaller': 'needs a package: in test/api/installer.test.ts',
  'device.enroll': DEVICE,
  'est.simpleEnroll': DEVICE,
  'est.simpleReenroll': DEVICE,
  'device.renew': DEVICE,
  'device.reportInventory': DEVICE,
  'device.reportFlows': DEVICE,
  'device.reportCaptures': DEVICE,
  'device.checkCall': DEVICE,
  'device.checkTool': DEVICE,
  'device.reportToolCalls': DEVICE,
  'device.issueRecordingKey': 'a key that can only record, which the device asks for by itself',
  'device.heartbeat': DEVICE,
};

const startRun = async (byKey: TestClient): Promise<string> =>
  (await byKey.recording.startRun({ body: { agent_name: 'a' } })).run_id;

async function makePrompt(byOwner: TestClient) {
  const { id } = await byOwner.prompts.createPrompt({
    body: { name: fresh('prompt'), content: 'x' },
  });
  return { prompt_id: id };
}

const policy = () => ({ name: fresh('policy'), category: 'operations', rules: {} });

async function makePolicy(byKey: TestClient) {
  const { id } = await byKey.policies.createPolicy({ body: policy() });
  return { id };
}

/** A run that took longer than it may. */
async function makeIncident(service: AuditedService): Promise<string> {
  const { byKey, byOwner } = service;
  const agent = fresh('agent');
  const rules = { timeout_seconds: 1 };
  const body = { ...policy(), rules, scope: { agents: [agent] } };
  await byKey.policies.createPolicy({ body });
  const { run_id } = await byKey.recording.startRun({ body: { agent_name: agent } });
  service.setTime(Date.now() + 5000);
  await byKey.recording.completeRun({ params: { run_id }, body: {} });
  service.setTime(undefined);
  const { results } = await byOwner.incidents.listIncidents({ query: { run_id } });
  return results[0]?.id ?? '';
}

async function askForApproval(byKey: TestClient): Promise<string> {
  const agent_name = fresh('agent');
  const rules = { require_approval_for: ['session-start'] };
  const scope = { agents: [agent_name] };
  const { id: policy_id } = await byKey.policies.createPolicy({
    body: { ...policy(), category: 'approval', rules, scope },
  });
  await byKey.evaluations.checkPolicy({ body: { agent_name } });
  const { results } = await byKey.approvals.listApprovals({ query: { policy_id } });
  return results[0]?.id ?? '';
}

const putLayer = (byOwner: TestClient) =>
  byOwner.guard.putLayer({
    body: { layer: 'agent', scope: fresh('scope'), config: { capture_enabled: false } },
  });

const makeInventoryRule = (byOwner: TestClient) =>
  byOwner.inventoryRules.createInventoryRule({
    body: { name: fresh('rule'), condition: { type: 'listed', apps: ['x'] } },
  });

/** The id of a device that asked to enroll while approval was required. */
async function makeWaitingDevice(service: AuditedService): Promise<string> {
  const { enrollment } = service.byOwner;
  const before = await enrollment.getEnrollmentSettings();
  const hardware = fresh('hardware');
  const { id } = await enrollDevice(service, hardware);
  await enrollment.revokeDevice({ params: { id }, body: {} });
  await enrollment.restoreDevice({ params: { id }, body: {} });
  await enrollment.putEnrollmentSettings({ body: { ...before, require_approval: true } });
  await enrollDevice(service, hardware).catch((error: { status: number }) => {
    if (error.status !== 202) throw error;
  });
  await enrollment.putEnrollmentSettings({ body: before });
  return id;
}

async function findAuthority(byKey: TestClient, wanted: string) {
  const { results } = await byKey.authorities.listAuthorities();
  return { id: results.find(({ state }) => state === wanted)?.id ?? '' };
}

const viewBody = () => ({ list: 'runs' as const, name: fresh('view'), query: 'status=error' });

const makeDashboard = async (byOwner: TestClient) => {
  const body = { name: fresh('dashboard') };
  const { id } = await byOwner.dashboards.createDashboard({ body });
  return { dashboard_id: id };
};

const makeView = async (byOwner: TestClient) => {
  const { id } = await byOwner.listViews.createView({ body: viewBody() });
  return { view_id: id };
};

const makeKey = (byOwner: TestClient) =>
  byOwner.identity.createApiKey({ body: { name: fresh('key'), permissions: ['record'] } });

async function makeSubTenant(byKey: TestClient) {
  const { id } = await byKey.subTenants.createSubTenant({ body: { name: fresh('sub-tenant') } });
  return { sub_tenant_id: id };
}

/** A client with the key of a new sub-tenant. */
async function signInBelow(service: AuditedService): Promise<TestClient> {
  const body = { name: fresh('sub-tenant') };
  const { api_key } = await service.byKey.subTenants.createSubTenant({ body });
  return service.by({ 'X-Svc-Key': api_key });
}

const activate = (by: TestClient) =>
  by.enterprise.activateAddOn({ body: { add_on_code: 'insights' } });

async function makeUser({ byOwner }: AuditedService) {
  const user = { email: `${fresh('user')}@example.test`, password: PASSWORD };
  const { id } = await byOwner.identity.createUser({
    body: { ...user, role: 'viewer', must_change_password: false },
  });
  return { params: { id }, user };
}

async function makeSession(service: AuditedService) {
  const { params, user } = await makeUser(service);
  return { params, user, session: await signIn(service, user) };
}

async function signIn(service: AuditedService, body: typeof OWNER): Promise<TestClient> {
  const { token } = await service.by({}).identity.login({ body });
  return service.by({ Authorization: `Bearer ${token}` });
}
