import { emptyCounts } from '#agent/core/sent-today.ts';
import type { AgentStatus } from '#agent/core/status.ts';

/** The status of an agent that is enrolled and connected and captures nothing. */
export const idleStatus: AgentStatus = {
  phase: 'enrolled',
  device_id: 'dev_1',
  api_host: 'gatehouse.example:8443',
  identity_expires_at: Date.UTC(2026, 11, 24),
  key_binding: 'not_bound',
  connected: true,
  config_version: 3,
  capture: {
    enabled: false,
    hosts: [],
    processes: [],
    enabled_by: 'default',
    enforced: false,
    blocked_hosts: [],
    blocked_processes: [],
  },
  pause: { allowed_minutes: 0, until: null },
  coding_agents: { level: 'off', tool_checks: 'off', files: [] },
  app: null,
  sent_today: emptyCounts('2026-11-22'),
  counts: { apps: 0, open_flows: 0, reported: 0, queued: 0, dropped: 0 },
  recent_flows: [],
  exchanges: [],
  apps: [],
  capture_levels: [],
  problems: [],
  unread_files: [],
};

/** The part of a status in which these hosts are captured. */
export const captureOf = (...hosts: string[]): Pick<AgentStatus, 'capture'> => ({
  capture: {
    ...idleStatus.capture,
    enabled: true,
    hosts: hosts.map((host) => ({
      host,
      set_by: 'user_group',
      since: Date.UTC(2026, 10, 12, 9),
    })),
    enabled_by: 'global',
  },
});

/** A status with an entry in every list. */
export const busyStatus: AgentStatus = {
  ...idleStatus,
  ...captureOf('api.openai.com', 'api.anthropic.com'),
  key_binding: 'bound',
  pause: { allowed_minutes: 30, until: null },
  coding_agents: {
    level: 'prompts',
    tool_checks: 'open',
    files: [
      {
        purpose: 'telemetry',
        tool: 'Gemini CLI',
        path: '/etc/gemini-cli/settings.json',
        written_at: Date.UTC(2026, 4, 30),
        restored_at: null,
      },
      {
        purpose: 'tool_checks',
        tool: 'Gemini CLI',
        path: '/etc/gemini-cli/settings.json',
        written_at: Date.UTC(2026, 4, 30),
        restored_at: null,
      },
    ],
  },
  app: {
    contact: 'IT service desk',
    contact_address: 'it-help@example.com',
    newest_version: '9.4.0',
  },
  sent_today: {
    day: '2026-11-22',
    flow_reports: 1204,
    captures: 17,
    inventories: 9,
    telemetry: 41,
    tool_calls: 23,
    bytes: 2_400_000,
  },
  counts: { apps: 3, open_flows: 1, reported: 1204, queued: 2, dropped: 5 },
  recent_flows: [
    {
      id: 'f1',
      app_id: 'claude-code',
      process: 'claude',
      path: '/usr/bin/claude',
      pid: 7,
      user: 'ada',
      host: 'api.anthropic.com',
      address: '192.0.2.1',
      port: 443,
      protocol: 'tcp',
      started_at: Date.UTC(2026, 10, 22, 13, 2, 3),
      ended_at: null,
      bytes_in: 1_500_000,
      bytes_out: null,
    },
  ],
  exchanges: [
    {
      id: 'cap_1',
      host: 'api.anthropic.com',
      process: 'claude',
      app_id: 'claude-code',
      method: 'POST',
      path: '/v1/messages',
      status: 200,
      started_at: '2026-11-22T13:02:04.000Z',
      model: 'claude-sonnet-4-5',
      redactions: { EMAIL: 2, API_KEY: 1 },
    },
    {
      id: 'cap_2',
      host: 'api.openai.com',
      process: null,
      app_id: null,
      method: 'POST',
      path: '/v1/responses',
      status: 200,
      started_at: '2026-11-22T12:00:00.000Z',
      model: null,
      redactions: {},
    },
  ],
  apps: [
    { kind: 'cli', name: 'Claude Code', version: '2.0.14', catalog_id: 'claude-code' },
    { kind: 'cli', name: 'Gemini CLI', version: '0.9', catalog_id: 'gemini-cli' },
    { kind: 'mcp_server', name: 'filesystem', version: null, catalog_id: null },
  ],
  capture_levels: [
    { app_id: 'claude-code', level: 'content', reason: 'content_seen', store: 'system', hosts: [] },
    { app_id: 'gemini-cli', level: 'metadata', reason: 'own_store', store: 'node', hosts: [] },
  ],
};
