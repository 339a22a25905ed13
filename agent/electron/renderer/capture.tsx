import type { Bridge, StatusMessage } from '../bridge.ts';
import type { Speaker } from '../words/speaker.ts';
import { CapturedHosts } from './captured-hosts.tsx';
import { PauseControl } from './pause-control.tsx';
import { useSpeaker } from './speaking.ts';

type CaptureState = StatusMessage['capture'];

/** The one thing that everybody wants to know: is anything read? */
export function Capture({ status, bridge }: { status: StatusMessage; bridge: Bridge }) {
  const speaker = useSpeaker();
  const { say, time } = speaker;
  const { capture, pause, phase } = status;
  const isOn = capture.enabled && capture.hosts.length > 0;
  const isPaused = isOn && pause.until !== null;
  const headline = !isOn
    ? say('capture.nothing')
    : isPaused
      ? say('capture.paused', { time: time(Date.parse(pause.until ?? '')) })
      : describeRecorded(capture, speaker);
  return (
    <section className="capture" aria-label={say('capture.label')} data-on={isOn && !isPaused}>
      <Mark on={isOn && !isPaused} />
      <div>
        <p className="headline" aria-live="polite">
          {headline}
        </p>
        <Seen phase={phase} isOn={isOn} isPaused={isPaused} />
        <PauseControl pause={pause} isOn={isOn} bridge={bridge} />
        {isOn && <CapturedHosts capture={capture} />}
        <Restrictions capture={capture} isOn={isOn} />
      </div>
    </section>
  );
}

type SeenProps = Pick<StatusMessage, 'phase'> & { isOn: boolean; isPaused: boolean };

/** What the company sees; what goes on in a pause is said beside the way out of it. */
function Seen({ phase, isOn, isPaused }: SeenProps) {
  const { say } = useSpeaker();
  if (isPaused) return <p className="muted">{say('capture.unread until then')}</p>;
  return (
    <p className="muted">
      {say(phase === 'enrolled' ? 'capture.seen' : 'capture.seen later')}{' '}
      {say(isOn ? 'capture.redacted' : 'capture.unread')}
    </p>
  );
}

function Restrictions({ capture, isOn }: { capture: CaptureState; isOn: boolean }) {
  const { say, list } = useSpeaker();
  const blocked = [...capture.blocked_hosts, ...capture.blocked_processes];
  return (
    <>
      {isOn && capture.enforced && <p>{say('capture.enforced')}</p>}
      {blocked.length > 0 && (
        <p className="names">{say('capture.blocked', { names: list(blocked) })}</p>
      )}
    </>
  );
}

function describeRecorded({ hosts, processes }: CaptureState, { say, list }: Speaker): string {
  const names = hosts.map(({ host }) => host);
  return say('capture.on', {
    apps:
      processes.length === 0
        ? say('capture.all apps')
        : few(processes)
          ? list(processes)
          : say('capture.apps', { count: processes.length }),
    hosts: few(names) ? list(names) : say('capture.hosts', { count: names.length }),
  });
}

/** More names than three are too many for a sentence. */
const few = (names: readonly string[]): boolean => names.length <= 3;

function Mark({ on }: { on: boolean }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect x="5" y="10.5" width="14" height="9.5" rx="2" />
      <path d={on ? 'M8.5 10.5V8a3.5 3.5 0 0 1 6.8-1.2' : 'M8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5'} />
    </svg>
  );
}
