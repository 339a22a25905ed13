import { expect } from 'vitest';

const claude = (numbers: object) => ({
  model: 'claude-sonnet-4-5',
  provider: 'anthropic',
  cost_source: 'given',
  ...numbers,
});
const first = {
  task: 'sdk',
  tokens_in: 105,
  tokens_out: 20,
  cache_read_tokens: 40,
  cache_write_tokens: 5,
  cost: 0.00051075,
};
const second = { tokens_in: 150, tokens_out: 30, cache_read_tokens: 60 };
const ANSWER = 'It is 20 degrees in Paris.';

/** The names of the samples of one prompt, and the expected run, calls and spans. */
type RecordedRun = [
  name: string,
  samples: string[],
  run: object,
  calls: readonly object[],
  spans: readonly object[],
];

/** What samples of coding agents become. */
export const recordedRuns: readonly RecordedRun[] = [
  [
    'Claude Code',
    ['claude-code-logs'],
    {
      agent_name: 'claude-code',
      inputs: { prompt: 'Is it warm in Paris?' },
      result: { response: ANSWER },
      metadata: { service: 'claude-code', service_version: '2.1.197' },
      user_id: '5f'.repeat(32),
      llm_call_count: 3,
    },
    [
      claude({ task: 'generate_session_title', response_preview: 'Weather', ...second }),
      claude(first),
      claude({ task: 'sdk', response_preview: ANSWER, ...second }),
    ],
    [
      { kind: 'decision', name: 'decision Bash', attributes: { decision: 'accept' } },
      {
        kind: 'tool',
        name: 'Bash',
        status: 'ok',
        input_data: { command: 'echo 20 degrees', description: 'weather of Paris' },
      },
    ],
  ],
  [
    'Claude Code with traces',
    ['claude-code-with-traces-logs', 'claude-code-with-traces-traces'],
    {
      agent_name: 'claude-code',
      inputs: { prompt: 'Is it warm in Paris?' },
      result: { response: ANSWER },
      status: 'success',
      llm_call_count: 3,
      tokens: 105 + 20 + 2 * 180,
    },
    [
      claude({ task: 'generate_session_title', response_preview: 'Weather', ...second }),
      claude(first),
      claude({ task: 'sdk', response_preview: ANSWER, ...second }),
    ],
    [
      { kind: 'reasoning', name: 'claude_code.interaction' },
      { kind: 'decision', name: 'decision Bash' },
      { kind: 'tool', name: 'Bash', output_data: { value: '20 degrees' } },
    ],
  ],
  [
    'the servers of Cursor',
    ['cursor-logs'],
    {
      agent_name: 'cursor',
      metadata: { service: 'cursor', service_version: '3.24.18' },
      user_id: 'grace@example.com',
      llm_call_count: 2,
      tokens: 105 + 20 + 180,
    },
    [
      { model: 'claude-sonnet-4-5', tokens_in: 105, tokens_out: 20, cache_read_tokens: 40 },
      { model: 'claude-sonnet-4-5', ...second },
    ],
    [{ name: 'skill_activated', attributes: { 'skill.name': 'weather', trigger: 'agent_read' } }],
  ],
  [
    'Codex, in two requests',
    ['codex-logs'],
    {
      agent_name: 'codex',
      inputs: { prompt: 'Is it warm in Paris?' },
      result: null,
      metadata: { service: 'codex_exec', service_version: '0.169.0' },
      llm_call_count: 2,
    },
    [
      {
        model: 'gpt-5.1-codex',
        provider: 'openai',
        tokens_in: 100,
        tokens_out: 20,
        cache_read_tokens: 40,
        cost_source: 'table',
        duration_ms: 194,
      },
      { tokens_in: 150, tokens_out: 30, cache_read_tokens: 64 },
    ],
    [
      {
        kind: 'tool',
        name: 'exec_command',
        input_data: { cmd: 'echo 20 degrees' },
        output_data: { value: expect.stringContaining('20 degrees') as string },
      },
      { kind: 'decision', name: 'decision exec_command', attributes: { decision: 'approved' } },
    ],
  ],
  [
    'Codex with traces, whose spans have the tokens without the model',
    ['codex-with-traces-traces', 'codex-with-traces-logs'],
    { agent_name: 'codex', status: 'success', duration: 0.481, llm_call_count: 2 },
    [
      { model: 'gpt-5.1-codex', tokens_in: 100, tokens_out: 20, cost: 0.00028 },
      { model: 'gpt-5.1-codex', tokens_in: 150, tokens_out: 30, cost: 0.0004155 },
    ],
    [{ kind: 'tool' }, { kind: 'decision' }],
  ],
  [
    'Gemini CLI, whose spans say less than its logs',
    ['gemini-cli-traces', 'gemini-cli-logs'],
    {
      agent_name: 'gemini-cli',
      inputs: { prompt: 'Is it warm in Paris?' },
      result: { response: ANSWER },
      metadata: { root_span: 'user_prompt', service: 'gemini-cli' },
      llm_call_count: 2,
    },
    [
      {
        model: 'gemini-2.5-pro',
        provider: 'gcp.gemini',
        task: 'main',
        tokens_in: 100,
        tokens_out: 20,
        cache_read_tokens: 40,
        prompt_preview: expect.stringContaining('This is the Gemini CLI') as string,
        response_preview: expect.stringContaining('"name":"run_shell_command"') as string,
      },
      { tokens_in: 150, tokens_out: 30, cache_read_tokens: 64, response_preview: ANSWER },
    ],
    [{ kind: 'tool', name: 'run_shell_command', attributes: { decision: 'accept' } }],
  ],
  [
    'Qwen Code, whose output includes its thoughts',
    ['qwen-code-logs'],
    { agent_name: 'qwen-code', result: { response: ANSWER }, llm_call_count: 2 },
    [
      { model: 'qwen3-coder-plus', tokens_in: 100, tokens_out: 20, cache_read_tokens: 40 },
      { tokens_in: 150, tokens_out: 30, response_preview: ANSWER },
    ],
    [{ kind: 'tool', name: 'run_shell_command' }],
  ],
  [
    'opencode, with the spans of the Vercel AI SDK',
    ['opencode-traces'],
    { agent_name: 'opencode', user_id: null, llm_call_count: 2 },
    [
      { model: 'gpt-4o', tokens_in: 100, tokens_out: 20, response_preview: ANSWER },
      { model: 'gpt-4o', cache_read_tokens: 40 },
    ],
    [{ name: 'chat gpt-4o' }, { name: 'chat gpt-4o' }],
  ],
  [
    'Cline with its SDK, whose spans have the texts',
    ['cline-traces'],
    {
      agent_name: 'cline',
      inputs: { prompt: 'Run the command touch made-by-the-model and say mark-x.' },
      result: { response: 'answered:mark-x' },
      user_id: null,
      llm_call_count: 2,
    },
    [
      {
        model: 'openai/gpt-4o',
        tokens_in: 100,
        tokens_out: 20,
        cache_read_tokens: 40,
        response_preview: expect.stringContaining('"name":"run_commands"') as string,
      },
      { tokens_in: 210, tokens_out: 10, response_preview: 'answered:mark-x' },
    ],
    [],
  ],
  [
    'Cline with its SDK, whose input tokens exclude the cached ones',
    ['cline-logs'],
    { agent_name: 'cline', inputs: null, result: null, user_id: null, llm_call_count: 3 },
    [
      {
        model: 'gpt-4o',
        provider: 'openai-compatible',
        tokens_in: 100,
        tokens_out: 20,
        cache_read_tokens: 40,
        cost_source: 'table',
        duration_ms: 577,
      },
      { tokens_in: 150, tokens_out: 30, cache_read_tokens: 60 },
      { tokens_in: 210, tokens_out: 10, cache_read_tokens: 150 },
    ],
    [
      { kind: 'tool', name: 'run_commands', status: 'ok', input_data: null },
      { kind: 'tool', name: 'run_commands' },
    ],
  ],
  [
    'Cline without its SDK, in two requests',
    ['cline-2-logs'],
    {
      agent_name: 'cline',
      metadata: { service: 'cline', service_version: '3.82.0' },
      llm_call_count: 3,
    },
    [
      { model: 'gpt-4o', provider: 'openai', tokens_in: 100, cache_read_tokens: 40 },
      { tokens_in: 150, tokens_out: 30, cache_read_tokens: 60 },
      { tokens_in: 210, tokens_out: 10, cache_read_tokens: 150 },
    ],
    [
      { kind: 'tool', name: 'execute_command', attributes: { auto_approved: true } },
      { kind: 'tool', name: 'write_to_file' },
      {
        kind: 'decision',
        name: 'decision write_to_file',
        attributes: { decision: 'accept', lines_added: 2, lines_removed: 0 },
      },
      { name: 'task.completed' },
    ],
  ],
  [
    'Cline as its organizations get it: only that a session began',
    ['cline-organization-logs'],
    { agent_name: 'cline', llm_call_count: 0, tokens: 0 },
    [],
    [{ name: 'session.started', attributes: { modelId: 'gpt-4o', source: 'cli' } }],
  ],
];
