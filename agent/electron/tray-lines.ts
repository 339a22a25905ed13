import type { AgentStatus } from '#agent/core/status.ts';
import type { Speaker } from './words/speaker.ts';

/** The agent's state in the two or three lines that a menu has room for. */
export const describeInBrief = (status: AgentStatus, speaker: Speaker): string[] => [
  describeConnection(status, speaker),
  describeCapture(status, speaker),
  ...describeProblems(status, speaker),
];

function describeConnection({ phase, connected, api_host }: AgentStatus, { say }: Speaker): string {
  const host = api_host ?? '';
  if (phase === 'waiting for configuration') return say('state.waiting for configuration');
  if (phase === 'enrolling') return say('tray.enrolling', { host });
  if (phase === 'waiting for approval') return say('tray.approval', { host });
  return connected ? say('state.connected') : say('tray.disconnected', { host });
}

/** What is captured now; also the whole of what a tooltip says. */
export function describeCapture({ capture, pause }: AgentStatus, { say, time }: Speaker): string {
  const [first, ...others] = capture.hosts;
  if (!capture.enabled || !first) return say('tray.nothing');
  if (pause.until !== null) return say('tray.paused', { time: time(pause.until) });
  if (others.length === 0) return say('tray.capturing one', { host: first.host });
  return say('tray.capturing', { count: capture.hosts.length });
}

function describeProblems({ problems }: AgentStatus, { say }: Speaker): string[] {
  return problems.length === 0 ? [] : [say('tray.problems', { count: problems.length })];
}

export interface PauseChoice {
  label: string;
  does: 'pause' | 'resume';
}

/** What the person may do about capture now; null where that is nothing. */
export function describePause(
  { pause, capture }: AgentStatus,
  { say }: Speaker,
): PauseChoice | null {
  if (pause.until !== null && capture.enabled)
    return { label: say('pause.resume'), does: 'resume' };
  const { allowed_minutes: count } = pause;
  return count > 0 ? { label: say('pause.for', { count }), does: 'pause' } : null;
}
