import { createHash } from 'node:crypto';

interface IncidentCause {
  policy_id: string;
  action: string;
  agent_name: string;
  reason: string;
}

// It matches UUIDs and other hexadecimal ids, and then numbers with their separators.
const VARYING = /\b[0-9a-f]{8}[0-9a-f-]*\b|\d+(?:[.,:]\d+)*/gi;

/** Replaces the parts of a reason that vary between occurrences: `limit reached (#/#)`. */
export const causeOf = (reason: string): string => reason.replace(VARYING, '#');

/**
 * Returns an id that all incidents with the same policy (or rule), agent, action and cause share.
 */
export const incidentGroupId = ({ policy_id, action, agent_name, reason }: IncidentCause): string =>
  createHash('sha256')
    .update(JSON.stringify([policy_id, agent_name, action, causeOf(reason)]))
    .digest('hex')
    .slice(0, 32);
