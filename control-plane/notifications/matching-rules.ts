import { severities } from '#contract/policy-actions.ts';
import type { NotificationEventName } from '#contract/notifications.ts';
import type { Severity } from '#contract/policy-actions.ts';
import type { EventFacts } from '../notification-event.ts';

/** The conditions of a rule. */
export interface Conditions {
  events: readonly NotificationEventName[];
  min_severity: Severity | null;
  policy_ids: readonly string[];
  agents: readonly string[];
  budget_percent: number;
  offline_minutes: number;
}

/**
 * Whether a rule matches an event. A filter applies only if the event has such a value: a filter by
 * agent does not exclude a device that went offline.
 */
export function matches(
  rule: Conditions,
  event: NotificationEventName,
  facts: EventFacts,
): boolean {
  return (
    rule.events.includes(event) &&
    (facts.severity === null || isSevere(facts.severity, rule.min_severity)) &&
    (facts.policy === null ||
      rule.policy_ids.length === 0 ||
      rule.policy_ids.includes(facts.policy.id)) &&
    (facts.agent === null || isListed(facts.agent, rule.agents)) &&
    (facts.threshold === null || facts.threshold === thresholdOf(rule, event))
  );
}

const isSevere = (severity: Severity, least: Severity | null): boolean =>
  least === null || severities.indexOf(severity) >= severities.indexOf(least);

const isListed = (agent: string, agents: readonly string[]): boolean =>
  agents.length === 0 ||
  agents.some((name) =>
    name.endsWith('*') ? agent.startsWith(name.slice(0, -1)) : name === agent,
  );

const thresholdOf = (rule: Conditions, event: NotificationEventName): number =>
  event === 'budget.reached' ? rule.budget_percent : rule.offline_minutes;
