import type { PolicyFacts, Intent, Situation, Usage } from './category.ts';

/** The intent of an agent that announces none. */
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

/** Creates a situation with the given fields; the others are null or empty. */
export const situationOf = (
  fields: Pick<Situation, 'phase' | 'now' | 'agent' | 'workflow'> & Partial<Situation>,
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
  ...fields,
});

const NO_USAGE: Usage = { tokens: 0, cost: 0, models: {} };

/** The facts for a category that reads none. */
export const NO_FACTS: PolicyFacts = {
  today: NO_USAGE,
  week: NO_USAGE,
  month: NO_USAGE,
  endUser: null,
  approval: null,
};
