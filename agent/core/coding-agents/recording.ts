import type { CodingAgentLevel } from '#contract/guard.ts';

/** The recording settings of a device's coding agents, and the endpoint to which they send. */
export interface Recording {
  level: Exclude<CodingAgentLevel, 'off'>;
  /** Base URL of the OTLP routes. */
  endpoint: string;
  /** The device's recording key. */
  key: string;
  /** The agent's relay, for tools that cannot send the key; null if the agent cannot listen. */
  relay: string | null;
}

export const recordsPrompts = ({ level }: Recording): boolean => level !== 'metadata';

export const recordsTools = ({ level }: Recording): boolean => level === 'tools';

/** The path that identifies the URL of an agent's relay. */
export const RELAY_PATH = '/gatehouse-agent';
