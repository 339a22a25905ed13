import type { Facts, Intent, Situation } from './category.ts';

/** The intent of an agent that stated nothing. */
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

/** A situation with the given fields; the others are null or empty. */
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

/** The facts of a category that reads none. */
export const NO_FACTS: Facts = {
  today: { tokens: 0, cost: 0, models: {} },
  endUser: null,
  approval: null,
};
