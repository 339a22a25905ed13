import { z } from 'zod';
import { count, range, startBeforeEnd, timestamp } from './fields.ts';
import { routes } from './route.ts';

/** The agent names of runs that coding agents report. */
export const codingAgentNames = [
  'claude-code',
  'codex',
  'gemini-cli',
  'qwen-code',
  'github-copilot',
  'opencode',
  'cursor',
  'cline',
  'goose',
] as const;
export const codingAgentName = z.enum(codingAgentNames);

const sum = z.number();

/** Totals of the runs that started in a period. */
const work = z.object({
  sessions: count,
  prompts: count.meta({ description: 'runs: one for each prompt of a developer' }),
  tokens: sum,
  cost: sum.meta({ description: 'USD' }),
  edits_accepted: count.meta({ description: 'calls of tools that change files, let through' }),
  edits_rejected: count.meta({ description: 'such calls that the developer refused' }),
  lines_added: count,
  lines_removed: count,
});
export type CodingWork = z.output<typeof work>;

const ofMany = work.extend({ developers: count.meta({ description: 'users with a run' }) });

export const MAX_DEVELOPERS = 500;

export const codingAgentRoutes = routes({
  getCodingWork: {
    method: 'GET',
    path: '/api/v1/observability/coding-agents/',
    summary: 'What coding agents did in a period, by agent, developer, team and day',
    auth: 'session',
    role: 'viewer',
    errors: 'text',
    query: z
      .object({ ...range, agent: codingAgentName.optional() })
      .check(startBeforeEnd)
      .meta({ description: 'without a start: the 30 days before the end, or before now' }),
    response: z.object({
      start: timestamp,
      end: timestamp,
      total: ofMany,
      agents: z.array(ofMany.extend({ agent_name: z.string() })),
      developers: z
        .array(work.extend({ user_id: z.string().nullable() }))
        .meta({ description: `the ${MAX_DEVELOPERS} with the highest cost` }),
      teams: z.array(
        ofMany.extend({ team: z.string().nullable().meta({ description: 'user_group' }) }),
      ),
      days: z.array(work.extend({ day: timestamp.meta({ description: 'its start, in UTC' }) })),
    }),
  },
});
