import type { Facts, Intent, Situation } from './category.ts';

/** Nothing that an agent told of what it is about to do. */
export const NO_INTENT: Intent = {
  inputs: null,
  models: [],
  tools: [],
  mcpServers: [],
  actionType: null,
  riskLevel: null,
  estimatedCost: null,
  redacted: null,
};

/** A situation of which only this much is known. */
export const situationOf = (
  known: Pick<Situation, 'phase' | 'now' | 'agent' | 'workflow'> & Partial<Situation>,
): Situation => ({
  agentId: null,
  sessionId: null,
  userId: null,
  userGroup: null,
  endUserId: null,
  run: null,
  intent: NO_INTENT,
  calls: [],
  tools: [],
  result: null,
  error: null,
  ...known,
});

/** What a category gets that reads nothing of the past. */
export const NO_FACTS: Facts = {
  today: { tokens: 0, cost: 0, models: {} },
  endUser: null,
  approval: null,
};
