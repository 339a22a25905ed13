import type { RequestListener } from 'node:http';
import { contract } from '#contract/index.ts';
import type { RouteGroup } from '#contract/route.ts';
import { analyticsHandlers } from './analytics/handlers.ts';
import { auditHandlers } from './audit/handlers.ts';
import type { Context } from './context.ts';
import { costHandlers } from './costs/handlers.ts';
import { enterpriseHandlers } from './enterprise/handlers.ts';
import { subUserHandlers } from './sub-users/handlers.ts';
import { captureHandlers } from './captures/handlers.ts';
import { approvalOfDevices } from './enrollment/approval-handlers.ts';
import { authorityHandlers } from './authorities/handlers.ts';
import { estHandlers } from './enrollment/est-handlers.ts';
import { deviceHandlers } from './devices/device-handlers.ts';
import { fleetHandlers } from './devices/handlers.ts';
import { inventoryRuleHandlers } from './inventory/rule-handlers.ts';
import { guardHandlers } from './guard/handlers.ts';
import { deploymentHandlers } from './deployment/handlers.ts';
import { eventHandlers } from './events/handlers.ts';
import type { Handlers } from './http/handler.ts';
import { demandTls } from './http/head.ts';
import { createListener, nothingHere, refuse } from './http/listener.ts';
import { type Served, servedBy } from './http/mount.ts';
import { serviceHandlers } from './http/service.ts';
import { identityHandlers } from './identity/handlers.ts';
import { llmCallHandlers } from './llm-calls/handlers.ts';
import { loadOnce } from './lib/load-once.ts';
import { memoryHandlers } from './memory/handlers.ts';
import { approvalHandlers } from './policy/approvals/approval-handlers.ts';
import { otelHandlers } from './otel/handlers.ts';
import { policyHandlers } from './policy/admin/policy-handlers.ts';
import { overviewHandlers } from './overview/handlers.ts';
import { endUserHandlers } from './policy/end-user-handlers.ts';
import { governanceHandlers } from './policy/handlers.ts';
import { promptHandlers } from './prompts/handlers.ts';
import { playgroundHandlers } from './prompts/playground/playground-handlers.ts';
import { recordingHandlers } from './recording/handlers.ts';
import { runHandlers } from './runs/handlers.ts';
import { scoreHandlers } from './scores/handlers.ts';
import { appSettingsHandlers } from './settings/app-handlers.ts';
import { settingsHandlers } from './settings/handlers.ts';
import { subTenantHandlers } from './tenancy/handlers.ts';

type AllHandlers = { [G in keyof typeof contract]: Handlers<(typeof contract)[G]> };

/** Handlers of every route in the contract. */
const handlers: AllHandlers = {
  recording: recordingHandlers,
  runs: runHandlers,
  llmCalls: llmCallHandlers,
  overview: overviewHandlers,
  analytics: analyticsHandlers,
  scores: scoreHandlers,
  memory: memoryHandlers,
  events: eventHandlers,
  prompts: promptHandlers,
  playground: playgroundHandlers,
  policies: policyHandlers,
  costs: costHandlers,
  otel: otelHandlers,
  settings: settingsHandlers,
  appSettings: appSettingsHandlers,
  audit: auditHandlers,
  governance: governanceHandlers,
  endUsers: endUserHandlers,
  identity: identityHandlers,
  subTenants: subTenantHandlers,
  subUsers: subUserHandlers,
  enterprise: enterpriseHandlers,
  fleet: fleetHandlers,
  captures: captureHandlers,
  inventoryRules: inventoryRuleHandlers,
  guard: guardHandlers,
  device: deviceHandlers,
  enrollment: approvalOfDevices,
  authorities: authorityHandlers,
  est: estHandlers,
  deployment: deploymentHandlers,
  approvals: approvalHandlers,
  service: serviceHandlers,
};

/** Serves the console, recording and administration. */
export function mainApp(context: Context): RequestListener {
  const listener = createListener(context, routesOf('main'), lazyPages(context));
  if (!context.config.publicUrl?.startsWith('https:')) return listener;
  return (request, response) => {
    demandTls(response);
    listener(request, response);
  };
}

/** Serves devices, behind TLS. */
export const deviceApp = (context: Context): RequestListener =>
  createListener(context, routesOf('device'), (request, response) =>
    refuse(context, nothingHere(request), request, response),
  );

function routesOf(listener: 'main' | 'device'): Served[] {
  const groups = Object.entries(contract) as [keyof AllHandlers, RouteGroup][];
  return groups
    .flatMap(([name, group]) => servedBy(group, handlers[name] as Handlers<RouteGroup>))
    .filter(({ route }) => (route.listener ?? 'main') === listener);
}

/** Express serves files and pages only, so it is loaded on the first request for one. */
function lazyPages(context: Context): RequestListener {
  const pages = loadOnce(async () => {
    const { createPages } = await import('./http/pages.ts');
    return createPages(context);
  });
  return (request, response) => {
    pages().then(
      (serve) => serve(request, response),
      (error: unknown) => refuse(context, error, request, response),
    );
  };
}
