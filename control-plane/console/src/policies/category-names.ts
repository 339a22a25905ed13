import { t } from '@lingui/core/macro';

const names: Record<string, string> = {
  approval: t`Approval`,
  audit: t`Audit`,
  budget: t`Budget`,
  content: t`Content`,
  'end-user-budget': t`End-user budget`,
  'end-user-rate-limit': t`End-user rate limit`,
  kill: t`Circuit breaker`,
  llm: t`Models`,
  'mcp-server-allowlist': t`MCP servers`,
  operations: t`Timeout`,
  'rate-limit': t`Rate limit`,
  safety: t`Safety`,
  scheduling: t`Schedule`,
  'tool-allowlist': t`Tools`,
};

/** Descriptions of the categories, in one sentence each. */
const sentences: Record<string, string> = {
  approval: t`People approve certain actions, tools or costs before a run starts.`,
  audit: t`Sets which parts of a run are recorded, and for how long.`,
  budget: t`Limits tokens and cost per day, week, month and run, and per model.`,
  content: t`Finds personal data, credentials and attacks in prompts and responses.`,
  'end-user-budget': t`Limits what each end user may spend per month.`,
  'end-user-rate-limit': t`Limits how often each end user may start a run.`,
  kill: t`Stops an agent while too many of its runs fail.`,
  llm: t`Allows or blocks models, and limits their settings.`,
  'mcp-server-allowlist': t`Allows or blocks MCP servers.`,
  operations: t`Warns of runs that take too long.`,
  'rate-limit': t`Limits how often an agent runs, and how many of its runs are concurrent.`,
  safety: t`Limits steps, retries and tool calls, and filters output.`,
  scheduling: t`Allows runs at certain hours, weekdays and dates only.`,
  'tool-allowlist': t`Allows or blocks tools by name.`,
};

export const categorySentence = (category: string): string => sentences[category] ?? '';

/** Display name of a category. */
export const categoryName = (category: string): string => names[category] ?? category;
