/** A page of the console: a short name and its path. */
export type VisitedPage = readonly [name: string, path: string];

export interface ConsoleIds {
  dashboard: string;
  run: string;
  /** A run of agents that call other agents. */
  trace: string;
  device: string;
  queue: string;
  prompt: string;
  policy: string;
  tenant: string;
  rule: string;
  app: string | undefined;
  dataset: string;
  experiment: string;
  /** A second experiment of the dataset. */
  failed: string;
  /** The name of a session and of an end user. */
  name: string;
}

/** All pages of the console, with content on each. */
export function pagesOf({
  dashboard,
  run,
  trace,
  device,
  queue,
  prompt,
  policy,
  tenant,
  rule,
  app,
  dataset,
  experiment,
  failed,
  name,
}: ConsoleIds): VisitedPage[] {
  const encodedName = encodeURIComponent(name);
  return [
    ['home', '/'],
    ['home-month', '/?period=30d'],
    ['dashboards', '/dashboards'],
    ['dashboard-overview', '/dashboards/overview'],
    ['dashboard', `/dashboards/${dashboard}?since=30d`],
    ['get-started', '/get-started'],
    ['devices-add', '/devices/add'],
    ['devices-add-with', '/devices/add?with=jamf'],
    ['devices', '/devices'],
    ['device', `/devices/${device}`],
    ['device-flows', `/devices/${device}?tab=flows`],
    ['device-pauses', `/devices/${device}?tab=pauses`],
    ['device-refusals', `/devices/${device}?tab=refusals`],
    ['device-events', `/devices/${device}?tab=events`],
    ['apps', '/apps'],
    ['installations', '/apps?tab=installations'],
    ['app', `/apps/${app}`],
    ['inventory-rule', `/inventory-rules/${rule}`],
    ['inventory-rule-new', '/inventory-rules/new'],
    ['flows', '/flows'],
    ['flows-grouped', '/flows?grouped=true'],
    ['flows-map', '/flows?grouped=map'],
    ['captures', '/captures'],
    ['capture-agents', '/captures?tab=agents'],
    ['guard', '/guard'],
    ['guard-device', `/guard?level=device&scope=${device}`],
    ['runs', '/runs'],
    ['run-comparison', `/runs/compare?a=${trace}&b=${run}`],
    ['run-to-compare', `/runs/compare?a=${run}`],
    ['run', `/runs/${run}`],
    ['run-records', `/runs/${run}?tab=records`],
    ['run-record', `/runs/${run}?span=run-${run}`],
    ['trace', `/runs/${trace}`],
    ['trace-record', `/runs/${trace}?span=run-${trace}&q=gpt`],
    ['trace-agents', `/runs/${trace}?view=agents`],
    ['run-governance', `/runs/${run}?tab=governance`],
    ['llm-calls', '/llm-calls'],
    ['llm-call', '/llm-calls/1'],
    ['scores', '/scores'],
    ['annotation-queues', '/annotation-queues'],
    ['annotation-queue', `/annotation-queues/${queue}`],
    ['annotation-queue-runs', `/annotation-queues/${queue}?tab=items`],
    ['sessions', '/sessions'],
    ['session', `/sessions/${encodedName}`],
    ['session-talk', '/sessions/chat-1022'],
    ['users', '/users'],
    ['user', `/users/${encodedName}`],
    ['coding-agents', '/coding-agents'],
    ['costs', '/costs?period=30d'],
    ['prompts', '/prompts'],
    ['prompt', `/prompts/${prompt}`],
    ['prompt-compare', `/prompts/${prompt}?tab=compare`],
    ['prompt-performance', `/prompts/${prompt}?tab=performance`],
    ['prompt-labels', `/prompts/${prompt}?tab=labels`],
    ['prompt-use', `/prompts/${prompt}?tab=use`],
    ['playground', `/playground?prompt=${prompt}&version=2`],
    ['datasets', '/datasets'],
    ['dataset', `/datasets/${dataset}`],
    ['dataset-experiments', `/datasets/${dataset}?tab=experiments`],
    ['experiment', `/experiments/${experiment}?dataset=${dataset}`],
    ['experiment-comparison', `/experiments/${experiment}?dataset=${dataset}&other=${failed}`],
    ['policies', '/policies'],
    ['policy', `/policies/${policy}`],
    ['policy-new', '/policies/new'],
    ['incidents', '/incidents'],
    ['evaluations', '/incidents?tab=evaluations'],
    ['approvals', '/approvals'],
    ['account', '/account'],
    ['audit', '/audit'],
    ['notifications', '/notifications'],
    ['notification-channels', '/notifications?tab=channels'],
    ['deliveries', '/notifications?tab=log'],
    ['sub-tenant', `/sub-tenants/${tenant}`],
    ['members', '/settings/members'],
    ['sign-in', '/settings/sign-in'],
    ['api-keys', '/settings/api-keys'],
    ['sub-tenants', '/settings/tenants'],
    ['masking', '/settings/masking'],
    ['retention', '/settings/retention'],
    ['prices', '/settings/prices'],
    ['unmapped-names', '/settings/opentelemetry'],
    ['rejections', '/settings/opentelemetry?tab=rejected'],
    ['end-user-limits', '/settings/limits'],
    ['authorities', '/settings/authorities'],
    ['add-ons', '/settings/add-ons'],
    ['appearance', '/settings/appearance'],
  ];
}
