import '../styles/index.css';
import { createRoot } from 'react-dom/client';
import { AgentsTable } from '../captures/agents-table.tsx';
import { DaysTable } from '../costs/days-table.tsx';
import { ModelTotals } from '../costs/model-totals.tsx';
import type { Session, TrackedUser } from '../data/analytics-sources.ts';
import type { CaptureAgent } from '../data/capture-sources.ts';
import type { LlmCall } from '../data/llm-call-sources.ts';
import type { RunSummary } from '../data/run-sources.ts';
import type { ApiKey } from '../data/api-key-sources.ts';
import type { Device } from '../data/device-sources.ts';
import type { Flow } from '../data/flow-sources.ts';
import type { Evaluation, Incident } from '../data/incident-sources.ts';
import type { ListedPolicy } from '../data/policy-sources.ts';
import type { SubTenant } from '../data/sub-tenant-sources.ts';
import { deviceColumns } from '../devices/device-columns.tsx';
import { FlowTable } from '../flows/flow-table.tsx';
import { EvaluationsTable } from '../incidents/evaluations-table.tsx';
import { IncidentsTable } from '../incidents/incidents-table.tsx';
import { KeysTable } from '../api-keys/keys-table.tsx';
import type { ListColumn } from '../lists/columns.ts';
import { ListTable } from '../lists/list-table.tsx';
import { callColumns } from '../llm-calls/call-columns.tsx';
import { PoliciesTable } from '../policies/policies-table.tsx';
import { runColumnsWith } from '../runs/run-columns.tsx';
import { RunsTable } from '../runs/runs-table.tsx';
import { sessionColumns } from '../sessions/session-columns.tsx';
import { TenantsTable } from '../sub-tenants/tenants-table.tsx';
import { userColumns } from '../end-users/user-columns.tsx';
import '../costs/costs-page.css';
import '../shell/shell.css';

const before = (ms: number) => new Date(Date.now() - ms).toISOString();
const minutes = (count: number) => before(count * 60_000 + 20_000);
const longAgo = before(40 * 24 * 3_600_000);

/** Data with realistic maximum lengths for every column with a known format. */
const keys: ApiKey[] = [
  { revoked_at: null, expires_at: null },
  { revoked_at: null, expires_at: before(-23.5 * 3_600_000) },
  { revoked_at: null, expires_at: minutes(12) },
  { revoked_at: null, expires_at: longAgo },
  { revoked_at: longAgo, expires_at: null },
].map((end, at) => ({
  id: `key_${at}`,
  name: 'Profile of 2026-11-21 03:07 UTC',
  prefix: 'svc_sk_1a2b',
  last_four: '9f0e',
  created_by: 'maya@example.com',
  permissions: ['record', 'enroll', 'policies:write', 'admin'],
  created_at: minutes(59),
  last_used_at: longAgo,
  ...end,
}));

const devices: Device[] = [minutes(10), longAgo].map((last_seen, at) => ({
  id: `dev_${at}`,
  hostname: 'mayas-macbook-pro',
  os: 'macOS',
  os_version: '26.1.2',
  agent_version: '0.1.0',
  user: 'root\u202Exoc.cod',
  user_group: null,
  status: 'active',
  online: false,
  enrolled_at: longAgo,
  last_seen,
  config_version: 123,
  applied_version: 122,
  problems: [],
  present_apps: 0,
  risk_flags: [],
  waiting_key: null,
  capture_pause: null,
}));

const flows: Flow[] = [minutes(10), minutes(59), longAgo].map((started_at, at) => ({
  id: `flow_${at}`,
  device_id: 'dev_0',
  hostname: 'maya-mbp',
  app_id: null,
  process: 'python3.13',
  path: '/usr/bin/python3.13',
  pid: 123456,
  user: 'maya',
  host: 'api.anthropic.com',
  address: '192.0.2.10',
  port: 443,
  protocol: 'tcp',
  started_at,
  ended_at: new Date(Date.parse(started_at) + 86_399_000).toISOString(),
  bytes_in: 999e6,
  bytes_out: 999e6,
}));

const runs: RunSummary[] = [minutes(10), longAgo].map((started_at, at) => ({
  id: 1234560 + at,
  agent_name: 'support-triage',
  workflow_name: 'weekly-report',
  trace_id: null,
  session_id: null,
  user_id: null,
  status: 'success',
  started_at,
  completed_at: new Date(Date.parse(started_at) + 86_399_000).toISOString(),
  duration: 86_399,
  llm_call_count: 12345,
  tokens: 123456789,
  cost: 12345.67,
  error_count: 1234,
  verdict: 'throttle',
  score_summaries: [],
  error: null,
  tags: [],
}));

const totals = {
  run_count: 12345,
  error_count: 1234,
  total_duration: 86_399,
  total_cost: 12345.67,
  total_tokens: 123456789,
  agents: ['support-triage'],
};

const sessions: Session[] = [minutes(59), longAgo].map((at, number) => ({
  session_id: `chat-${number}`,
  first_run: longAgo,
  last_activity: at,
  ...totals,
}));

const users: TrackedUser[] = [minutes(59), longAgo].map((at, number) => ({
  user_id: `maya-${number}`,
  first_seen: longAgo,
  last_seen: at,
  ...totals,
}));

const calls: LlmCall[] = (['table', 'given', 'unpriced'] as const).map((cost_source, at) => ({
  id: at,
  run_id: 1234560,
  model: 'claude-sonnet-4-5',
  provider: 'anthropic',
  span_id: null,
  parent_span_id: null,
  started_at: null,
  reasoning_tokens: null,
  time_to_first_token_ms: null,
  finish_reason: null,
  task: null,
  agent_name: 'support-triage',
  workflow_name: 'weekly-report',
  tokens_in: 12345678,
  tokens_out: 1234567,
  total_tokens: 13580245,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  cost: [12345.67, 0.00001, 0][at] ?? 0,
  cost_source,
  duration_ms: 599_000,
  created_at: at === 0 ? longAgo : minutes(59),
  prompt_preview: 'Which team?',
  response_preview: 'Billing.',
  prompt_hash: '',
}));

const common = {
  run_id: 1234560,
  policy_id: 'pol_1',
  policy_name: 'Steady pace',
  reason: 'Per-minute limit (10/10)',
  metadata: {},
  agent_name: 'support-triage',
  workflow_name: 'weekly-report',
  created_at: longAgo,
  updated_at: minutes(59),
} as const;

const incidents: Incident[] = (['open', 'acknowledged', 'resolved'] as const).map((status) => ({
  ...common,
  id: `inc_${status}`,
  group_id: 'group',
  source: 'policy',
  device_id: null,
  hostname: null,
  app_group_id: null,
  app_name: null,
  category: 'mcp-server-allowlist',
  action: 'throttle',
  status,
  severity: 'critical',
  assignee_id: null,
  obeyed: null,
  record: null,
  run_device: null,
  note: '',
  occurrences: 12345,
  last_seen_at: longAgo,
}));

const evaluations: Evaluation[] = (['mid_execution', 'on_failure'] as const).map((phase) => ({
  ...common,
  id: `eva_${phase}`,
  category: 'mcp-server-allowlist',
  action: 'throttle',
  phase,
  evaluation_count: 123456,
}));

const policies: ListedPolicy[] = [
  {
    id: 'pol_1',
    name: 'Steady pace',
    description: '',
    severity: 'medium',
    mode: 'enforce',
    hits: 1_234_567,
    last_triggered_at: longAgo,
    category: 'mcp-server-allowlist',
    rules: {},
    scope: { agents: ['support', 'triage'], workflows: [], user_groups: ['eng'] },
    priority: 1_000_000,
    enabled: true,
    version: 12,
    created_at: longAgo,
    updated_at: longAgo,
  },
];

const tenants: SubTenant[] = (['active', 'suspended'] as const).map((status) => ({
  id: `st_${status}`,
  name: 'Acme Europe',
  slug: 'acme-europe',
  status,
  external_id: 'crm-1234567',
  parent_id: 'tnt_1',
  created_at: longAgo,
}));

const agents: CaptureAgent[] = [null, 'dev_0'].map((device_id) => ({
  device_id,
  hostname: device_id && 'mayas-macbook-pro',
  app: device_id && 'claude-desktop',
  agent_name: device_id && 'support-triage',
  updated_at: longAgo,
  updated_by: 'maya@example.com',
}));

const use = { model: 'claude-sonnet-4-5', cost: 12345.67, tokens: 123456789, calls: 123456 };

const noFilters = { get: () => '', all: () => [], set: () => undefined };

const idOf = ({ id }: { id: number }) => String(id);

const listOf = <Row,>(
  label: string,
  columns: readonly ListColumn<Row>[],
  rows: readonly Row[],
  rowKey: (row: Row) => string,
) => (
  <ListTable
    list={label}
    label={label}
    columns={columns}
    rows={rows}
    rowKey={rowKey}
    filters={noFilters}
    panel={() => ({ title: '', content: '' })}
    stale={false}
  />
);

const root = document.createElement('div');
root.className = 'shell';
document.body.append(root);
createRoot(root).render(
  <>
    <div className="sidebar" />
    <main>
      <KeysTable keys={keys} onRevoke={() => undefined} onRotate={() => undefined} />
      <FlowTable flows={flows} hosts={[]} ofOneDevice={false} filters={noFilters} stale={false} />
      <RunsTable runs={runs} stale={false} />
      <IncidentsTable incidents={incidents} stale={false} onChanged={undefined} />
      <EvaluationsTable evaluations={evaluations} stale={false} />
      <PoliciesTable policies={policies} stale={false} onSwitch={undefined} />
      <TenantsTable tenants={tenants} stale={false} />
      <AgentsTable
        rules={agents}
        actions={{ onChange: () => undefined, onRemove: () => undefined }}
      />
      {listOf('Calls', callColumns, calls, idOf)}
      {listOf('All runs', runColumnsWith([]), runs, idOf)}
      {listOf('Devices', deviceColumns, devices, ({ id }) => id)}
      {listOf('Sessions', sessionColumns, sessions, ({ session_id }) => session_id)}
      {listOf('End users', userColumns, users, ({ user_id }) => user_id)}
      <ModelTotals
        totals={[
          {
            model: use.model,
            total_cost: use.cost,
            total_tokens: use.tokens,
            total_calls: use.calls,
            percentage: 99.95,
          },
        ]}
        ranking={[]}
        unpriced={[]}
        period="7d"
        agent=""
        stale={false}
      />
      <div className="by-day">
        <section className="card" />
        <DaysTable
          days={[{ date: '2026-11-21', models: [{ date: '2026-11-21', ...use }], ...use }]}
        />
      </div>
    </main>
  </>,
);
