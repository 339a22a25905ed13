import type { RecordingTarget } from '#domain/coding-agents/recording-level.ts';

/** The recording settings of a device's coding agents, and the endpoint to which they send. */
export interface Recording extends RecordingTarget {
  /** The device's recording key. */
  key: string;
  /** The agent's relay, for tools that cannot send the key; null if the agent cannot listen. */
  relay: string | null;
  /** The agent's socket, for tools that are recorded by hooks. */
  socket: string;
}
