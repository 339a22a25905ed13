import { analyticsRoutes } from './analytics.ts';
import { annotationQueueRoutes } from './annotation-queues.ts';
import { codingAgentRoutes } from './coding-agents.ts';
import { appSettingsRoutes } from './app-settings.ts';
import { approvalRoutes } from './approvals.ts';
import { auditRoutes } from './audit.ts';
import { captureRoutes } from './captures.ts';
import { authorityRoutes } from './authorities.ts';
import { costRoutes } from './costs.ts';
import { dashboardRoutes } from './dashboards.ts';
import { datasetRoutes } from './datasets.ts';
import { deploymentRoutes } from './deployment.ts';
import { deviceRoutes } from './device-protocol.ts';
import { devicesRoutes } from './devices.ts';
import { enrollmentRoutes } from './enrollment.ts';
import { enterpriseRoutes } from './enterprise.ts';
import { estRoutes } from './est.ts';
import { evaluationRoutes } from './evaluations.ts';
import { experimentRoutes } from './experiments.ts';
import { flowRoutes } from './flows.ts';
import { guardRoutes } from './guard.ts';
import { eventRoutes } from './events.ts';
import { endUserRoutes } from './end-users.ts';
import { incidentRoutes } from './incidents.ts';
import { inventoryRoutes } from './inventory.ts';
import { inventoryRuleRoutes } from './inventory-rules.ts';
import { identityRoutes } from './identity.ts';
import { llmCallRoutes } from './llm-calls.ts';
import { memoryRoutes } from './memory.ts';
import { notificationRoutes } from './notifications.ts';
import { otelRoutes } from './otel.ts';
import { overviewRoutes } from './overview.ts';
import { playgroundRoutes } from './playground.ts';
import { listViewRoutes } from './list-views.ts';
import { policyRoutes } from './policies.ts';
import { promptRoutes } from './prompts.ts';
import { recordingRoutes } from './recording.ts';
import { runRoutes } from './runs.ts';
import { scoreRoutes } from './scores.ts';
import { serviceRoutes } from './service.ts';
import { settingsRoutes } from './settings.ts';
import { subTenantRoutes } from './sub-tenants.ts';
import { subUserRoutes } from './sub-users.ts';

/** All routes of the service, by capability. */
export const contract = {
  recording: recordingRoutes,
  runs: runRoutes,
  llmCalls: llmCallRoutes,
  listViews: listViewRoutes,
  dashboards: dashboardRoutes,
  overview: overviewRoutes,
  analytics: analyticsRoutes,
  codingAgents: codingAgentRoutes,
  scores: scoreRoutes,
  annotationQueues: annotationQueueRoutes,
  memory: memoryRoutes,
  events: eventRoutes,
  prompts: promptRoutes,
  playground: playgroundRoutes,
  datasets: datasetRoutes,
  experiments: experimentRoutes,
  policies: policyRoutes,
  costs: costRoutes,
  otel: otelRoutes,
  settings: settingsRoutes,
  appSettings: appSettingsRoutes,
  audit: auditRoutes,
  evaluations: evaluationRoutes,
  incidents: incidentRoutes,
  endUsers: endUserRoutes,
  identity: identityRoutes,
  subTenants: subTenantRoutes,
  subUsers: subUserRoutes,
  enterprise: enterpriseRoutes,
  devices: devicesRoutes,
  inventory: inventoryRoutes,
  flows: flowRoutes,
  captures: captureRoutes,
  inventoryRules: inventoryRuleRoutes,
  guard: guardRoutes,
  device: deviceRoutes,
  enrollment: enrollmentRoutes,
  authorities: authorityRoutes,
  est: estRoutes,
  deployment: deploymentRoutes,
  approvals: approvalRoutes,
  notifications: notificationRoutes,
  service: serviceRoutes,
} as const;
