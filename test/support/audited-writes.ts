import { enrollDevice } from './device.ts';
import {
  type Write,
  uniqueName,
  addChannel,
  ruleFor,
  addNotificationRule,
  failedDelivery,
  startRun,
  makePrompt,
  policy,
  makePolicy,
  makeIncident,
  requestApproval,
  putLayer,
  makeInventoryRule,
  makeWaitingDevice,
  findAuthority,
  viewBody,
  makeDashboard,
  makeView,
  makeQueue,
  queueBody,
  claimItem,
} from './audited-fixtures.ts';
import { datasetWrites } from './audited-writes-of-datasets.ts';
import { identityWrites } from './audited-writes-of-identity.ts';

/**
 * How to perform each write of an administrator, by group and name of its route. Each adds exactly
 * one entry to the audit log. Includes GET routes that write.
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
      slot_name: uniqueName('slot'),
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
      byOwner.dashboards.createDashboard({ body: { name: uniqueName('dashboard') } }),
    ),
  'dashboards.updateDashboard': async ({ byOwner }) => {
    const params = await makeDashboard(byOwner);
    return () => byOwner.dashboards.updateDashboard({ params, body: { is_shared: true } });
  },
  'dashboards.deleteDashboard': async ({ byOwner }) => {
    const params = await makeDashboard(byOwner);
    return () => byOwner.dashboards.deleteDashboard({ params });
  },

  'annotationQueues.createAnnotationQueue': ({ byKey }) =>
    Promise.resolve(() => byKey.annotationQueues.createAnnotationQueue({ body: queueBody() })),
  'annotationQueues.updateAnnotationQueue': async ({ byOwner }) => {
    const params = await makeQueue(byOwner);
    const body = { description: 'changed' };
    return () => byOwner.annotationQueues.updateAnnotationQueue({ params, body });
  },
  'annotationQueues.deleteAnnotationQueue': async ({ byOwner }) => {
    const params = await makeQueue(byOwner);
    return () => byOwner.annotationQueues.deleteAnnotationQueue({ params });
  },
  'annotationQueues.addAnnotationItems': async ({ byKey, byOwner }) => {
    const params = await makeQueue(byOwner);
    const body = { run_ids: [Number(await startRun(byKey))] };
    return () => byKey.annotationQueues.addAnnotationItems({ params, body });
  },
  'annotationQueues.removeAnnotationItem': async (service) => {
    const params = await claimItem(service);
    return () => service.byOwner.annotationQueues.removeAnnotationItem({ params });
  },
  'annotationQueues.completeAnnotationItem': async (service) => {
    const params = await claimItem(service);
    const body = { scores: [{ name: 'good', value: true }] };
    return () => service.byOwner.annotationQueues.completeAnnotationItem({ params, body });
  },
  'annotationQueues.skipAnnotationItem': async (service) => {
    const params = await claimItem(service);
    return () => service.byOwner.annotationQueues.skipAnnotationItem({ params });
  },
  'annotationQueues.reopenAnnotationItem': async (service) => {
    const params = await claimItem(service);
    await service.byOwner.annotationQueues.skipAnnotationItem({ params });
    return () => service.byOwner.annotationQueues.reopenAnnotationItem({ params });
  },

  'prompts.createPrompt': ({ byOwner }) => {
    const body = { name: uniqueName('prompt'), content: 'x' };
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
    return () =>
      byKey.notifications.updateChannel({ params, body: { name: uniqueName('channel') } });
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
    const params = { kind: 'user', id: uniqueName('customer') } as const;
    const body = { monthly_budget: 1, requests_per_minute: null };
    return Promise.resolve(() => byKey.endUsers.putEndUserLimits({ params, body }));
  },
  'endUsers.deleteEndUserLimits': async ({ byKey }) => {
    const params = { kind: 'user', id: uniqueName('customer') } as const;
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
    const params = { id: await requestApproval(byKey) };
    return () => byOwner.approvals.approve({ params, body: {} });
  },
  'approvals.decideApprovals': async ({ byKey, byOwner }) => {
    const ids = [await requestApproval(byKey)];
    return () => byOwner.approvals.decideApprovals({ body: { ids, decision: 'deny' } });
  },
  'approvals.deny': async ({ byKey, byOwner }) => {
    const params = { id: await requestApproval(byKey) };
    return () => byOwner.approvals.deny({ params, body: {} });
  },

  'costs.startRecomputation': ({ byKey }) =>
    Promise.resolve(() => byKey.costs.startRecomputation({ body: { dry_run: true } })),
  'costs.putModelCost': ({ byKey }) => {
    const body = { input_cost_per_million: 1, output_cost_per_million: 2 };
    const params = { model_id: uniqueName('model') };
    return Promise.resolve(() => byKey.costs.putModelCost({ params, body }));
  },
  'costs.deleteModelCost': async ({ byKey }) => {
    const body = { input_cost_per_million: 1, output_cost_per_million: 2 };
    const params = { model_id: uniqueName('model') };
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
    const body = { device_id: null, app: uniqueName('app'), agent_name: 'agent' };
    return Promise.resolve(() => byOwner.captures.putCaptureAgent({ body }));
  },
  'captures.deleteCaptureAgent': async ({ byOwner }) => {
    const app = uniqueName('app');
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
    const params = { id: (await enrollDevice(service, uniqueName('hardware'))).id };
    return () => service.byKey.enrollment.revokeDevice({ params, body: { reason: 'lost' } });
  },
  'enrollment.restoreDevice': async (service) => {
    const params = { id: (await enrollDevice(service, uniqueName('hardware'))).id };
    await service.byKey.enrollment.revokeDevice({ params, body: {} });
    return () => service.byKey.enrollment.restoreDevice({ params, body: {} });
  },
  'authorities.rotateAuthority': ({ byKey }) =>
    Promise.resolve(() => byKey.authorities.rotateAuthority({ body: {} })),
  // The previous rotation has created the next root.
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

  ...datasetWrites,
  ...identityWrites,
};
