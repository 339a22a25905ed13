import type { Attributes } from '../attributes.ts';
import { splitWords } from '../attribute-aliases.ts';
import type { LogRecord } from '../logs/log-record.ts';
import {
  type Client,
  countIn,
  definedMembers,
  type EarlierEvents,
  isFalse,
  type Report,
  textIn,
} from './client.ts';
import { CLINE_SPANS, readClineSpan } from './cline-spans.ts';

/**
 * Cline (cline/cline). It sends no texts of prompts, answers or tools, and no ids of calls. There
 * are two formats with the same names of events:
 *
 * - its extensions before 4.0 and its npm program before 3.0
 *   (cline/cline@v3.82.0 src/services/telemetry/TelemetryService.ts), where a run is a task;
 * - its later versions, which are built on its SDK
 *   (cline/cline@21cb8d25 sdk/packages/core/src/services/telemetry/core-events.ts) and name the
 *   agent in their records; a run is a prompt.
 */
export const cline: Client = {
  agent: 'cline',
  isScope: (scope) => scope === 'cline' || scope === CLINE_SPANS,
  followsTraces: false,
  // Names of unmapped events are stored at every level, so a text must not become one.
  eventOf: ({ body }) => (typeof body === 'string' && /^[\w$.-]{1,100}$/.test(body) ? body : ''),
  sessionOf: ({ attributes }) => textIn(attributes, 'ulid', 'sessionId'),
  readEvent(record, earlier) {
    if (aroundTasks.test(record.event) || ignored.has(record.event)) return 'ignored';
    const attributes = withValues(record.attributes);
    const report = readers[record.event]?.({ ...record, attributes }, earlier);
    if (!report || report === 'ignored') return report;
    return {
      ...report,
      attributes: definedMembers({ ...identity(attributes), ...report.attributes }),
      ...(!isOfSdk(attributes) && { turn: textIn(attributes, 'ulid') }),
    };
  },
  readSpan: (span) => (span.scope.name === CLINE_SPANS ? readClineSpan(span) : span),
};

/** The program, its settings and its windows, and steps of a run that other events report. */
const aroundTasks =
  /^(?:agent|enterprise|grpc|hooks|host|remote_config|schedule|telemetry|ui|user|workspace|worktree)\.|^(?:user_identified|\$feature_flag_called)$/;

const ignored = new Set(
  splitWords(`
    cline.test.connection sdk.plan_mode_command_blocked sdk.tool_timeout session.ended
    task.agent_created task.agent_team_created task.auto_condense_toggled task.browser_error
    task.browser_tool_start task.cline_web_tools_toggled task.compaction_skipped
    task.feature_toggled task.feedback task.first_chunk_received task.focus_chain_disabled
    task.focus_chain_enabled task.focus_chain_incomplete_on_completion
    task.focus_chain_list_opened task.focus_chain_list_written task.focus_chain_progress_first
    task.focus_chain_progress_update task.gemini_api_performance task.historical_loaded
    task.initialization task.legacy_task_migration task.mention_failed
    task.mention_search_results task.mention_used task.mode task.provider_stream_started
    task.rule_toggled task.subagent_disabled task.subagent_enabled task.terminal_execution
    task.terminal_output_failure task.workspace_search_pattern task.yolo_mode_toggled
  `),
);

type Reader = (record: LogRecord, earlier: EarlierEvents) => Report | 'ignored';

const prompt: Report = {
  name: 'prompt',
  role: 'prompt',
  attributes: { 'gen_ai.operation.name': 'event' },
};

const opened: Reader = ({ attributes }) => (isOfSdk(attributes) ? 'ignored' : prompt);

const shown = ({ event, attributes }: LogRecord): Report => ({
  name: event,
  attributes: {
    ...Object.fromEntries(Object.entries(attributes).filter(([name]) => !ofEveryRecord.test(name))),
    // Names that a device may report at every level.
    ...definedMembers({
      'gen_ai.request.model': textIn(attributes, 'modelId', 'model'),
      'skill.name': textIn(attributes, 'skillName'),
    }),
    'gen_ai.operation.name': 'event',
  },
});

const note: Reader = (record) => ({ ...shown(record), isNote: true });

/** Attributes of the installation, of the user and of the session. */
const ofEveryRecord =
  /^(?:distinct_id|device_id|session_origin|sessionId|ulid|timestamp|_required)$|^(?:account|agent|cline|extension|is|member|organization|os|platform|team|user)(?:_|[A-Z]|$)/;

const readers: Record<string, Reader> = {
  'task.created': opened,
  'task.restarted': opened,
  // Earlier versions send this for each request of a task.
  'task.conversation_turn': ({ attributes }) =>
    isOfSdk(attributes) && attributes.source === 'user' && attributes.isSubagent !== true
      ? prompt
      : 'ignored',
  'task.provider_request_started'(record, earlier) {
    earlier.set(requestKey(record.attributes), record);
    return 'ignored';
  },
  'task.tokens': ({ at, attributes }, earlier) => ({
    name: 'chat',
    decides: attributes.isSubagent !== true,
    duration_ms: Math.max(0, at - (earlier.get(requestKey(attributes))?.at ?? at)),
    attributes: definedMembers({
      ...callOf(attributes),
      ...usageOf(attributes),
      'gen_ai.usage.cost': countIn(attributes, 'totalCost') || undefined,
    }),
  }),
  'task.provider_api_error': ({ attributes }) => ({
    name: 'chat',
    decides: attributes.isSubagent !== true,
    error: textIn(attributes, 'errorMessage', 'errorStatus') ?? 'failed',
    attributes: callOf(attributes),
  }),
  // The error of a call, without the session.
  'sdk.error'(record, earlier) {
    if (record.attributes.component === 'llms') earlier.set(errorKey(record.attributes), record);
    return 'ignored';
  },
  'session.error_recorded': (record, earlier) => {
    const reason = earlier.get(errorKey(record.attributes));
    return {
      ...shown(record),
      decides: true,
      error: (reason && textIn(reason.attributes, 'error_message')) ?? 'failed',
    };
  },
  'task.tool_used': ({ attributes }) => {
    const tool = textIn(attributes, 'tool') ?? 'tool';
    // Reported with its server by the next event.
    if (tool === 'use_mcp_tool') return 'ignored';
    return toolReport(attributes, tool, isFalse(attributes.success) ? 'failed' : null);
  },
  'task.mcp_tool_called': ({ attributes }) => {
    if (attributes.status === 'started') return 'ignored';
    const server = textIn(attributes, 'serverName') ?? 'server';
    const tool = textIn(attributes, 'toolName') ?? 'tool';
    const hasFailed = attributes.status === 'error';
    const error = hasFailed ? (textIn(attributes, 'errorMessage') ?? 'failed') : null;
    return toolReport(attributes, `mcp__${server}__${tool}`, error);
  },
  'task.ai_output.accepted': ({ attributes }) => decision(attributes, 'accept'),
  'task.ai_output.rejected': ({ attributes }) => decision(attributes, 'reject'),
  // All that an organization's collector gets from the versions with the SDK.
  'session.started': shown,
  ...Object.fromEntries(
    splitWords(`
      task.browser_tool_end task.cancelled task.checkpoint_used
      task.compaction_budget_emergency task.compaction_executed task.completed
      task.diff_edit_failed task.max_tokens_recovery
      task.mistake_limit_reached task.option_selected task.options_ignored
      task.provider_stream_failed task.retry_clicked task.skill_used task.slash_command_used
      task.subagent_completed task.subagent_started task.summarize_task task.terminal_hang
      task.terminal_user_intervention
    `).map((name) => [name, note]),
  ),
};

const callOf = (attributes: Attributes): Attributes =>
  definedMembers({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': textIn(attributes, 'provider'),
    'gen_ai.request.model': textIn(attributes, 'model'),
  });

/**
 * Providers of the earlier format whose input tokens exclude the cached ones
 * (cline/cline@v3.82.0 src/core/api/providers). In the later format, all do.
 */
const besideCached = new Set(
  splitWords(`
    anthropic bedrock claude-code cline deepseek gemini groq minimax moonshot openai-native
    openrouter vercel-ai-gateway vertex
  `),
);

function usageOf(attributes: Attributes): Attributes {
  const read = countIn(attributes, 'cacheReadTokens') ?? 0;
  const write = countIn(attributes, 'cacheWriteTokens') ?? 0;
  const input = countIn(attributes, 'tokensIn') ?? 0;
  const isBeside = isOfSdk(attributes) || besideCached.has(textIn(attributes, 'provider') ?? '');
  return {
    'gen_ai.usage.input_tokens': isBeside ? input + read + write : input,
    'gen_ai.usage.output_tokens': countIn(attributes, 'tokensOut') ?? 0,
    'gen_ai.usage.cache_read.input_tokens': read,
    'gen_ai.usage.cache_write.input_tokens': write,
  };
}

const toolReport = (attributes: Attributes, name: string, error: string | null): Report => ({
  name,
  error,
  attributes: definedMembers({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    auto_approved: attributes.autoApproved,
  }),
});

/** The edit of a tool that the user, or the settings of the user, accepted or rejected. */
function decision(attributes: Attributes, decided: 'accept' | 'reject'): Report {
  const tool = textIn(attributes, 'tool') ?? 'tool';
  return {
    name: `decision ${tool}`,
    attributes: definedMembers({
      'gen_ai.operation.name': 'decision',
      tool,
      decision: decided,
      source: textIn(attributes, 'source'),
      ...(decided === 'accept' && {
        lines_added: countIn(attributes, 'linesAdded'),
        lines_removed: countIn(attributes, 'linesDeleted'),
      }),
    }),
  };
}

/** Without an account of Cline, only a random id of the installation is known. */
const identity = (attributes: Attributes): Attributes =>
  definedMembers({
    'session.id': textIn(attributes, 'ulid', 'sessionId'),
    'user.id': textIn(attributes, 'account_email', 'user_id'),
    'gen_ai.agent.name': 'cline',
  });

const isOfSdk = (attributes: Attributes): boolean =>
  'agentId' in attributes || 'sessionId' in attributes;

const requestKey = (attributes: Attributes): string =>
  `cline request ${textIn(attributes, 'agentId') ?? ''}`;

const errorKey = (attributes: Attributes): string =>
  `cline error ${textIn(attributes, 'provider', 'providerId') ?? ''} ${
    textIn(attributes, 'model', 'modelId') ?? ''
  }`;

/** Members without a value are sent as `undefined` or `null`. */
const withValues = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(([, value]) => value !== 'undefined' && value !== 'null'),
  );
