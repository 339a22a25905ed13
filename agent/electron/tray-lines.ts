import type { AgentStatus } from '#agent/core/status.ts';

/** The agent's state in the two or three lines that a menu has room for. */
export function describeInBrief(status: AgentStatus): string[] {
  return [describeConnection(status), describeCapture(status), ...describeProblems(status)];
}

function describeConnection({ phase, connected, api_host }: AgentStatus): string {
  if (phase === 'waiting for configuration') return 'Waiting for configuration';
  if (phase === 'enrolling') return `Enrolling with ${api_host}`;
  if (phase === 'waiting for approval') return `Waiting for approval by ${api_host}`;
  return `${connected ? 'Connected to' : 'No connection to'} ${api_host}`;
}

function describeCapture({ capture }: AgentStatus): string {
  const { length } = capture.hosts;
  if (!capture.enabled || length === 0) return 'Nothing is decrypted';
  return `Traffic to ${length === 1 ? capture.hosts[0] : `${length} hosts`} may be recorded`;
}

function describeProblems({ problems }: AgentStatus): string[] {
  if (problems.length === 0) return [];
  return [problems.length === 1 ? '1 problem' : `${problems.length} problems`];
}
