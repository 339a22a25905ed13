import type { RequestListener } from 'node:http';
import { contract } from '#contract/index.ts';
import type { Route, RouteGroup } from '#contract/route.ts';
import { analyticsHandlers } from './analytics/handlers.ts';
import { annotationQueueHandlers } from './annotation-queues/handlers.ts';
import { codingAgentHandlers } from './coding-agents/handlers.ts';
import { auditHandlers } from './audit/handlers.ts';
import { authenticate } from './authenticate.ts';
import type { Context } from './context.ts';
import { costHandlers } from './costs/handlers.ts';
import { enterpriseHandlers } from './enterprise/handlers.ts';
import { subUserHandlers } from './sub-users/handlers.ts';
import { captureHandlers } from './captures/handlers.ts';
import { deviceStatusHandlers } from './enrollment/approval-and-revocation-handlers.ts';
import { authorityHandlers } from './authorities/handlers.ts';
import { estHandlers } from './enrollment/est-handlers.ts';
import { deviceHandlers } from './devices/device-protocol-handlers.ts';
import { devicesHandlers } from './devices/handlers.ts';
import { flowHandlers } from './flows/handlers.ts';
import { inventoryHandlers } from './inventory/handlers.ts';
import { inventoryRuleHandlers } from './inventory/rule-handlers.ts';
import { guardHandlers } from './guard/handlers.ts';
import { deploymentHandlers } from './deployment/handlers.ts';
import { eventHandlers } from './events/handlers.ts';
import type { Handler, Handlers } from './handler.ts';
import type { ApiRequest } from './http/api-request.ts';
import { enableHsts } from './http/head.ts';
import { createListener, routeNotFound, refuse } from './http/listener.ts';
import type { HttpContext } from './http/http-context.ts';
import type { RouteHandler } from './http/mount.ts';
import { serviceHandlers } from './service-handlers.ts';
import { identityHandlers } from './identity/handlers.ts';
import { dashboardHandlers } from './dashboards/handlers.ts';
import { datasetHandlers } from './datasets/handlers.ts';
import { experimentHandlers } from './experiments/handlers.ts';
import { listViewHandlers } from './list-views/handlers.ts';
import { llmCallHandlers } from './llm-calls/handlers.ts';
import { loadOnce } from './lib/memoize.ts';
import { memoryHandlers } from './memory/handlers.ts';
import { approvalHandlers } from './approvals/handlers.ts';
import { notificationHandlers } from './notifications/handlers.ts';
import { otelHandlers } from './otel/handlers.ts';
import { policyHandlers } from './policies/handlers.ts';
import { overviewHandlers } from './overview/handlers.ts';
import { endUserHandlers } from './end-users/handlers.ts';
import { evaluationHandlers } from './evaluations/handlers.ts';
import { incidentHandlers } from './incidents/handlers.ts';
import { promptHandlers } from './prompts/handlers.ts';
import { playgroundHandlers } from './playground/handlers.ts';
import { recomputationHandlers } from './recomputation/recompute-job.ts';
import { recordingHandlers } from './recording/handlers.ts';
import { runHandlers } from './runs/handlers.ts';
import { scoreHandlers } from './scores/handlers.ts';
import { appSettingsHandlers, settingsHandlers } from './settings/handlers.ts';
import { version } from './startup/version.ts';
import { subTenantHandlers } from './sub-tenants/handlers.ts';

type AllHandlers = { [G in keyof typeof contract]: Handlers<(typeof contract)[G]> };

/** The handlers of every route in the contract. */
const handlers: AllHandlers = {
  recording: recordingHandlers,
  runs: runHandlers,
  llmCalls: llmCallHandlers,
  listViews: listViewHandlers,
  dashboards: dashboardHandlers,
  overview: overviewHandlers,
  analytics: analyticsHandlers,
  codingAgents: codingAgentHandlers,
  scores: scoreHandlers,
  annotationQueues: annotationQueueHandlers,
  memory: memoryHandlers,
  events: eventHandlers,
  prompts: promptHandlers,
  playground: playgroundHandlers,
  datasets: datasetHandlers,
  experiments: experimentHandlers,
  policies: policyHandlers,
  costs: { ...costHandlers, ...recomputationHandlers },
  otel: otelHandlers,
  settings: settingsHandlers,
  appSettings: appSettingsHandlers,
  audit: auditHandlers,
  evaluations: evaluationHandlers,
  incidents: incidentHandlers,
  endUsers: endUserHandlers,
  identity: identityHandlers,
  subTenants: subTenantHandlers,
  subUsers: subUserHandlers,
  enterprise: enterpriseHandlers,
  devices: devicesHandlers,
  inventory: inventoryHandlers,
  flows: flowHandlers,
  captures: captureHandlers,
  inventoryRules: inventoryRuleHandlers,
  guard: guardHandlers,
  device: deviceHandlers,
  enrollment: deviceStatusHandlers,
  authorities: authorityHandlers,
  est: estHandlers,
  deployment: deploymentHandlers,
  approvals: approvalHandlers,
  notifications: notificationHandlers,
  service: serviceHandlers,
};

/** Returns the app for the console, recording and administration. */
export function mainApp(context: Context): RequestListener {
  const http = httpContextOf(context);
  const listener = createListener(http, routesOf(context, 'main'), lazyPages(http));
  if (!context.config.publicUrl?.startsWith('https:')) return listener;
  return (request, response) => {
    enableHsts(response);
    listener(request, response);
  };
}

/** Returns the app for devices, which is served over TLS. */
export function deviceApp(context: Context): RequestListener {
  const http = httpContextOf(context);
  return createListener(http, routesOf(context, 'device'), (request, response) =>
    refuse(http, routeNotFound(request), request, response),
  );
}

/**
 * Returns the parts of the control plane that `http/` uses, because that folder imports no
 * capability.
 */
const httpContextOf = (context: Context): HttpContext => ({
  ...context,
  version,
  authenticate: (route, request) => authenticate(context, route, request),
  encodeRpcStatus: async (status) =>
    (await import('./otel/protocol/protobuf.ts')).encodeStatus(status),
});

function routesOf(context: Context, listener: 'main' | 'device'): RouteHandler[] {
  const groups = Object.entries(contract) as [keyof AllHandlers, RouteGroup][];
  return groups
    .flatMap(([name, group]) =>
      Object.entries(group).map(([route, declared]): RouteHandler => {
        const handler = (handlers[name] as Handlers<RouteGroup>)[route] as Handler<Route>;
        return {
          route: declared,
          handle: (request) => handler(context, request as ApiRequest<Route>),
        };
      }),
    )
    .filter(({ route }) => (route.listener ?? 'main') === listener);
}

/** Loads Express on the first request for a file or page, because it serves nothing else. */
function lazyPages(http: HttpContext): RequestListener {
  const pages = loadOnce(async () => {
    const { createPages } = await import('./http/pages.ts');
    return createPages(http);
  });
  return (request, response) => {
    pages().then(
      (serve) => serve(request, response),
      (error: unknown) => refuse(http, error, request, response),
    );
  };
}
