const names: Record<string, string> = {
  approval: 'Approval',
  audit: 'Audit',
  budget: 'Budget',
  content: 'Content',
  'end-user-budget': 'End-user budget',
  'end-user-rate-limit': 'End-user rate limit',
  kill: 'Circuit breaker',
  llm: 'Models',
  'mcp-server-allowlist': 'MCP servers',
  operations: 'Timeout',
  'rate-limit': 'Rate limit',
  safety: 'Safety',
  scheduling: 'Schedule',
  'tool-allowlist': 'Tools',
};

/** What a policy of a category does, in one sentence. */
const sentences: Record<string, string> = {
  approval: 'People approve certain actions, tools or costs before a run starts.',
  audit: 'Decides what of a run is logged, and for how long.',
  budget: 'Limits tokens and money per day, week, month and run, and per model.',
  content: 'Finds personal data, credentials and attacks in prompts and responses.',
  'end-user-budget': 'Limits what each end user may spend per month.',
  'end-user-rate-limit': 'Limits how often each end user may start a run.',
  kill: 'Stops an agent while too many of its runs fail.',
  llm: 'Allows or blocks models, and bounds their settings.',
  'mcp-server-allowlist': 'Allows or blocks MCP servers.',
  operations: 'Warns of runs that take too long.',
  'rate-limit': 'Limits how often and how many at once an agent runs.',
  safety: 'Bounds steps, retries and tool calls, and filters output.',
  scheduling: 'Allows runs at certain hours, weekdays and dates only.',
  'tool-allowlist': 'Allows or blocks tools by name.',
};

export const categorySentence = (category: string): string => sentences[category] ?? '';

/** The name of a category as the console shows it. */
export const categoryName = (category: string): string => names[category] ?? category;
