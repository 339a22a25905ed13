import { createRoot } from 'react-dom/client';
import { AgentsTable } from '../captures/agents-table.tsx';
import { DaysTable } from '../costs/days-table.tsx';
import { ModelTotals } from '../costs/model-totals.tsx';
import type { Session, TrackedUser } from '../data/analytics-sources.ts';
import type { CaptureAgent } from '../data/capture-sources.ts';
import type { LlmCall } from '../data/llm-call-sources.ts';
import type { RunSummary } from '../data/run-sources.ts';
import type { ApiKey, Device, Flow } from '../data/sources.ts';
import type { Evaluation, Incident } from '../data/governance-sources.ts';
import type { Policy } from '../data/policy-sources.ts';
import type { SubTenant } from '../data/tenant-sources.ts';
import { DevicesTable } from '../devices/devices-table.tsx';
import { FlowTable } from '../flows/flow-table.tsx';
import { EvaluationsTable } from '../governance/evaluations-table.tsx';
import { IncidentsTable } from '../governance/incidents-table.tsx';
import { KeysTable } from '../keys/keys-table.tsx';
import { CallsTable } from '../llm-calls/calls-table.tsx';
import { PoliciesTable } from '../policies/policies-table.tsx';
import { RunsTable } from '../runs/runs-table.tsx';
import { SessionsTable } from '../sessions/sessions-table.tsx';
import { TenantsTable } from '../sub-tenants/tenants-table.tsx';
import { UsersTable } from '../users/users-table.tsx';

const before = (ms: number) => new Date(Date.now() - ms).toISOString();
const minutes = (count: number) => before(count * 60_000 + 20_000);
const longAgo = before(40 * 24 * 3_600_000);

/** Values of realistic maximum length, in every column with values of a known format. */
const keys: ApiKey[] = [
  { revoked_at: null, expires_at: null },
  { revoked_at: null, expires_at: before(-23.5 * 3_600_000) },
  { revoked_at: null, expires_at: minutes(12) },
  { revoked_at: null, expires_at: longAgo },
  { revoked_at: longAgo, expires_at: null },
].map((end, at) => ({
  id: `key_${at}`,
  name: 'Profile of 2026-11-21 03:07 UTC',
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
}));

const totals = {
  run_count: 12345,
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
  source: 'policy',
  device_id: null,
  hostname: null,
  app_group_id: null,
  app_name: null,
  category: 'mcp-server-allowlist',
  action: 'throttle',
  status,
  note: '',
  occurrences: 12345,
}));

const evaluations: Evaluation[] = (['mid_execution', 'on_failure'] as const).map((phase) => ({
  ...common,
  id: `eva_${phase}`,
  category: 'mcp-server-allowlist',
  action: 'throttle',
  phase,
  evaluation_count: 123456,
}));

const policies: Policy[] = [
  {
    id: 'pol_1',
    name: 'Steady pace',
    description: '',
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

const root = document.createElement('div');
root.className = 'shell';
document.body.append(root);
createRoot(root).render(
  <>
    <div className="sidebar" />
    <main>
      <KeysTable keys={keys} onRevoke={() => undefined} onRotate={() => undefined} />
      <DevicesTable devices={devices} stale={false} />
      <FlowTable flows={flows} hosts={[]} ofOneDevice={false} stale={false} />
      <RunsTable runs={runs} stale={false} />
      <IncidentsTable incidents={incidents} stale={false} onChanged={undefined} />
      <EvaluationsTable evaluations={evaluations} stale={false} />
      <PoliciesTable policies={policies} stale={false} onSwitch={undefined} />
      <TenantsTable tenants={tenants} stale={false} />
      <AgentsTable
        rules={agents}
        actions={{ onChange: () => undefined, onRemove: () => undefined }}
      />
      <CallsTable calls={calls} stale={false} />
      <SessionsTable sessions={sessions} stale={false} />
      <UsersTable users={users} stale={false} />
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
