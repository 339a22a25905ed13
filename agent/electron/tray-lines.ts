import type { AgentStatus } from '#agent/core/status.ts';
import type { Translator } from './messages/translator.ts';

/** The agent's state in the two or three lines that a menu has room for. */
export const describeStatus = (status: AgentStatus, speaker: Translator): string[] => [
  describeConnection(status, speaker),
  describeCapture(status, speaker),
  ...describeProblems(status, speaker),
];

function describeConnection(
  { phase, connected, api_host }: AgentStatus,
  { translate }: Translator,
): string {
  const host = api_host ?? '';
  if (phase === 'waiting for configuration') return translate('state.waiting for configuration');
  if (phase === 'enrolling') return translate('tray.enrolling', { host });
  if (phase === 'waiting for approval') return translate('tray.approval', { host });
  return connected ? translate('state.connected') : translate('tray.disconnected', { host });
}

/** What is captured now; also the whole of what a tooltip says. */
export function describeCapture(
  { capture, pause }: AgentStatus,
  { translate, time }: Translator,
): string {
  const [first, ...others] = capture.hosts;
  if (!capture.enabled || !first) return translate('tray.nothing');
  if (pause.until !== null) return translate('tray.paused', { time: time(pause.until) });
  if (others.length === 0) return translate('tray.capturing one', { host: first.host });
  return translate('tray.capturing', { count: capture.hosts.length });
}

function describeProblems({ problems }: AgentStatus, { translate }: Translator): string[] {
  return problems.length === 0 ? [] : [translate('tray.problems', { count: problems.length })];
}

export interface PauseChoice {
  label: string;
  does: 'pause' | 'resume';
}

/** What the person may do about capture now; null where that is nothing. */
export function describePause(
  { pause, capture }: AgentStatus,
  { translate }: Translator,
): PauseChoice | null {
  if (pause.until !== null && capture.enabled)
    return { label: translate('pause.resume'), does: 'resume' };
  const { allowed_minutes: count } = pause;
  return count > 0 ? { label: translate('pause.for', { count }), does: 'pause' } : null;
}
