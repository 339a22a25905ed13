import type { CodingAgentLevel } from '#contract/guard.ts';

/** What is to be recorded of the coding agents of a device, and how they send it. */
export interface Recording {
  level: Exclude<CodingAgentLevel, 'off'>;
  /** Base of the OTLP routes. */
  endpoint: string;
  /** The device's recording key. */
  key: string;
  /** Where tools that cannot send the key send to instead: the agent. Null: it cannot listen. */
  relay: string | null;
}

export const recordsPrompts = ({ level }: Recording): boolean => level !== 'metadata';

export const recordsTools = ({ level }: Recording): boolean => level === 'tools';

/** Of the address of every agent's relay, and of nothing else. */
export const RELAY_PATH = '/gatehouse-agent';
