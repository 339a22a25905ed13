import type { AuditedService } from './audit-log.ts';
import type { OWNER, TestClient } from './control-plane.ts';
import { enrollDevice } from './device.ts';
import { pollUntil } from './processes.ts';

/**
 * Prepares a write. Returns the function that performs it, and the tenant whose log has the entry
 * (default: the first one).
 */
export type Write = (service: AuditedService) => Promise<Prepared>;
type Prepared = (() => Promise<unknown>) & { by?: TestClient };

export const PASSWORD = 'a long enough pass phrase';

let made = 0;
/** Returns a unique name. */
export const uniqueName = (what: string): string => `${what}-${(made += 1)}`;

export const addChannel = async (byKey: TestClient, url = 'https://hooks.example.test/') => {
  const body = { kind: 'webhook', name: uniqueName('channel'), url } as const;
  return { id: (await byKey.notifications.createChannel({ body })).id };
};

export const ruleFor = (id: string) => ({
  name: uniqueName('rule'),
  events: ['approval.requested' as const],
  channel_ids: [id],
  group_seconds: 5,
});

export const addNotificationRule = async (byKey: TestClient) => {
  const channel = await addChannel(byKey);
  const body = ruleFor(channel.id);
  const { id } = await byKey.notifications.createNotificationRule({ body });
  return { channel: channel.id, id };
};

/** Creates a delivery that has failed for good, because its receiver has a private address. */
export async function failedDelivery(byKey: TestClient) {
  const { id } = await addChannel(byKey, 'https://127.0.0.1:1/');
  await byKey.notifications.createNotificationRule({ body: ruleFor(id) });
  const agent_name = uniqueName('agent');
  const rules = { require_approval_for: ['session-start'] };
  const scope = { agents: [agent_name] };
  await byKey.policies.createPolicy({
    body: { name: uniqueName('approving'), category: 'approval', rules, scope },
  });
  await byKey.evaluations.checkPolicy({ body: { agent_name, workflow_name: 'deploy' } });
  const query = { channel_id: id, status: 'failed' } as const;
  const delivery = await pollUntil(
    async () => (await byKey.notifications.listDeliveries({ query })).results[0],
    (found) => found !== undefined,
  );
  return { id: delivery?.id ?? '' };
}

export const startRun = async (byKey: TestClient): Promise<string> =>
  (await byKey.recording.startRun({ body: { agent_name: 'a' } })).run_id;

export async function makePrompt(byOwner: TestClient) {
  const { id } = await byOwner.prompts.createPrompt({
    body: { name: uniqueName('prompt'), content: 'x' },
  });
  return { prompt_id: id };
}

export const policy = () => ({ name: uniqueName('policy'), category: 'operations', rules: {} });

export async function makePolicy(byKey: TestClient) {
  const { id } = await byKey.policies.createPolicy({ body: policy() });
  return { id };
}

/** Creates an incident: a run that exceeds its time limit. */
export async function makeIncident(service: AuditedService): Promise<string> {
  const { byKey, byOwner } = service;
  const agent = uniqueName('agent');
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

export async function requestApproval(byKey: TestClient): Promise<string> {
  const agent_name = uniqueName('agent');
  const rules = { require_approval_for: ['session-start'] };
  const scope = { agents: [agent_name] };
  const { id: policy_id } = await byKey.policies.createPolicy({
    body: { ...policy(), category: 'approval', rules, scope },
  });
  await byKey.evaluations.checkPolicy({ body: { agent_name } });
  const { results } = await byKey.approvals.listApprovals({ query: { policy_id } });
  return results[0]?.id ?? '';
}

export const putLayer = (byOwner: TestClient) =>
  byOwner.guard.putLayer({
    body: { layer: 'agent', scope: uniqueName('scope'), config: { capture_enabled: false } },
  });

export const makeInventoryRule = (byOwner: TestClient) =>
  byOwner.inventoryRules.createInventoryRule({
    body: { name: uniqueName('rule'), condition: { type: 'listed', apps: ['x'] } },
  });

/** Returns the id of a device that waits for the approval of its enrollment. */
export async function makeWaitingDevice(service: AuditedService): Promise<string> {
  const { enrollment } = service.byOwner;
  const before = await enrollment.getEnrollmentSettings();
  const hardware = uniqueName('hardware');
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

export async function findAuthority(byKey: TestClient, wanted: string) {
  const { results } = await byKey.authorities.listAuthorities();
  return { id: results.find(({ state }) => state === wanted)?.id ?? '' };
}

export const viewBody = () => ({
  list: 'runs' as const,
  name: uniqueName('view'),
  query: 'status=error',
});

export const makeDashboard = async (byOwner: TestClient) => {
  const body = { name: uniqueName('dashboard') };
  const { id } = await byOwner.dashboards.createDashboard({ body });
  return { dashboard_id: id };
};

export const queueBody = () => ({
  name: uniqueName('queue'),
  scores: [{ name: 'good', data_type: 'boolean' as const }],
});

export async function makeQueue(byOwner: TestClient) {
  const { id } = await byOwner.annotationQueues.createAnnotationQueue({ body: queueBody() });
  return { queue_id: id };
}

/** Creates a queue with one run, which the owner has claimed. */
export async function claimItem({ byKey, byOwner }: AuditedService) {
  const params = await makeQueue(byOwner);
  const run_id = await startRun(byKey);
  const { annotationQueues } = byOwner;
  await annotationQueues.addAnnotationItems({ params, body: { run_ids: [Number(run_id)] } });
  await annotationQueues.claimAnnotationItem({ params });
  return { ...params, run_id };
}

export const makeView = async (byOwner: TestClient) => {
  const { id } = await byOwner.listViews.createView({ body: viewBody() });
  return { view_id: id };
};

export const makeKey = (byOwner: TestClient) =>
  byOwner.identity.createApiKey({ body: { name: uniqueName('key'), permissions: ['record'] } });

export async function makeSubTenant(byKey: TestClient) {
  const { id } = await byKey.subTenants.createSubTenant({
    body: { name: uniqueName('sub-tenant') },
  });
  return { sub_tenant_id: id };
}

/** Creates a sub-tenant; returns a client with its API key. */
export async function createSubTenantClient(service: AuditedService): Promise<TestClient> {
  const body = { name: uniqueName('sub-tenant') };
  const { api_key } = await service.byKey.subTenants.createSubTenant({ body });
  return service.by({ 'X-Svc-Key': api_key });
}

export const activateAddOn = (by: TestClient) =>
  by.enterprise.activateAddOn({ body: { add_on_code: 'insights' } });

export async function makeUser({ byOwner }: AuditedService) {
  const user = { email: `${uniqueName('user')}@example.test`, password: PASSWORD };
  const { id } = await byOwner.identity.createUser({
    body: { ...user, role: 'viewer', must_change_password: false },
  });
  return { params: { id }, user };
}

export async function makeSession(service: AuditedService) {
  const { params, user } = await makeUser(service);
  return { params, user, session: await signIn(service, user) };
}

export async function signIn(service: AuditedService, body: typeof OWNER): Promise<TestClient> {
  const { token } = await service.by({}).identity.login({ body });
  return service.by({ Authorization: `Bearer ${token}` });
}
