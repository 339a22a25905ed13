import { createHash } from 'node:crypto';

interface Caused {
  policy_id: string;
  action: string;
  agent_name: string;
  reason: string;
}

// UUIDs and other hexadecimal ids, then numbers with their separators.
const VARYING = /\b[0-9a-f]{8}[0-9a-f-]*\b|\d+(?:[.,:]\d+)*/gi;

/** A reason without what differs from one occurrence to the next: `limit reached (#/#)`. */
export const causeOf = (reason: string): string => reason.replace(VARYING, '#');

/** The same for all incidents of one policy (or rule), agent, action and cause. */
export const incidentGroupId = ({ policy_id, action, agent_name, reason }: Caused): string =>
  createHash('sha256')
    .update(JSON.stringify([policy_id, agent_name, action, causeOf(reason)]))
    .digest('hex')
    .slice(0, 32);
