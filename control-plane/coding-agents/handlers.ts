import {
  codingAgentNames,
  type codingAgentRoutes,
  MAX_DEVELOPERS,
} from '#contract/coding-agents.ts';
import { DAY_MS } from '#lib/time-units.ts';
import type { Handlers } from '../handler.ts';
import { type Grouping, readWork, type WorkFilter } from './work-queries.ts';
import { byCost, groupWork, type Key } from './work-rules.ts';

const DEFAULT_DAYS = 30;

export const codingAgentHandlers: Handlers<typeof codingAgentRoutes> = {
  async getCodingWork(context, { caller: { tenantId }, query }) {
    const end = query.end ?? context.now();
    const start = query.start ?? end - DEFAULT_DAYS * DAY_MS;
    const agents = query.agent ? [query.agent] : codingAgentNames;
    const selected: WorkFilter = { tenantId, agents, start, end };
    const by = async (grouping: Grouping) =>
      groupWork(await readWork(context.storage, selected, grouping));
    const [totals, ofAgents, ofDevelopers, ofTeams, ofDays] = await Promise.all([
      by(null),
      by('agent_name'),
      by('user_id'),
      by('user_group'),
      by('day'),
    ]);
    return {
      start,
      end,
      total: (totals[0] as (typeof totals)[number]).work,
      agents: ofAgents
        .toSorted(byCost)
        .map(({ key, work }) => ({ agent_name: String(key), ...work })),
      developers: ofDevelopers
        .toSorted(byCost)
        .slice(0, MAX_DEVELOPERS)
        .map(({ key, work }) => ({ user_id: textOf(key), ...work })),
      teams: ofTeams.toSorted(byCost).map(({ key, work }) => ({ team: textOf(key), ...work })),
      days: ofDays
        .toSorted((a, b) => Number(a.key) - Number(b.key))
        .map(({ key, work }) => ({
          day: Number(key) * DAY_MS,
          ...work,
        })),
    };
  },
};

const textOf = (key: Key): string | null => (key === null ? null : String(key));
