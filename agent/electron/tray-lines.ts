import type { AgentStatus } from '#agent/core/status.ts';
import type { Translator } from './messages/translator.ts';

/** Describes the state of the agent in two or three lines of the menu. */
export const describeStatus = (status: AgentStatus, translator: Translator): string[] => [
  describeConnection(status, translator),
  describeCapture(status, translator),
  ...describeProblems(status, translator),
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

/** Describes what is captured, in a line of the menu and in the tooltip. */
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
  action: 'pause' | 'resume';
}

/** The menu item that pauses or resumes capture; null if the user can do neither. */
export function describePause(
  { pause, capture }: AgentStatus,
  { translate }: Translator,
): PauseChoice | null {
  if (pause.until !== null && capture.enabled)
    return { label: translate('pause.resume'), action: 'resume' };
  const { allowed_minutes: count } = pause;
  return count > 0 ? { label: translate('pause.for', { count }), action: 'pause' } : null;
}
