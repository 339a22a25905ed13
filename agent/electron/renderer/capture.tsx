import type { Bridge, StatusMessage } from '../bridge.ts';
import type { Translator } from '../messages/translator.ts';
import { useTranslator } from './translator-context.ts';
import { Table } from './table.tsx';
import { useState } from 'react';

interface PauseControlProps {
  pause: StatusMessage['pause'];
  isOn: boolean;
  bridge: Pick<Bridge, 'pause' | 'resume'>;
}

/** Pauses capture if an administrator allows it, and states what a pause does not stop. */
export function PauseControl({ pause, isOn, bridge }: PauseControlProps) {
  const { translate } = useTranslator();
  const [failed, setFailed] = useState(false);
  const isPaused = pause.until !== null;
  if (!isOn || (!isPaused && pause.allowed_minutes === 0)) return null;
  const change = (): void => {
    const changed = isPaused ? bridge.resume() : bridge.pause();
    changed.then((paused) => setFailed(paused === isPaused)).catch(() => setFailed(true));
  };
  return (
    <div className="pause">
      <button type="button" onClick={change}>
        {isPaused
          ? translate('pause.resume')
          : translate('pause.for', { count: pause.allowed_minutes })}
      </button>
      <p className="muted">
        {isPaused && `${translate('pause.goes on')} `}
        {translate('pause.reported')}
      </p>
      {failed && <p role="alert">{translate('pause.failed')}</p>}
    </div>
  );
}

/** Lists the captured hosts, with the layer that switches each on and the day since when. */
export function CapturedHosts({ capture }: { capture: StatusMessage['capture'] }) {
  const { translate, list, day } = useTranslator();
  const { hosts, enabled_by, processes } = capture;
  return (
    <>
      <Table
        label={translate('capture.label')}
        className="hosts"
        columns={[
          translate('capture.host'),
          translate('capture.layer'),
          translate('capture.since'),
        ]}
        rows={hosts.map(({ host, set_by, since }) => ({
          key: host,
          cells: [
            <span key="host" className="whole">
              {host}
            </span>,
            set_by ? translate(`layer.${set_by}`) : translate('unknown'),
            since === null ? (
              translate('unknown')
            ) : (
              <time key="since" dateTime={since}>
                {day(Date.parse(since))}
              </time>
            ),
          ],
        }))}
      />
      {enabled_by && hosts.some(({ set_by }) => set_by !== enabled_by) && (
        <p className="muted">
          {translate('capture.switched on', { layer: translate(`layer.${enabled_by}`) })}
        </p>
      )}
      {processes.length > 0 && (
        <p className="names muted">{translate('capture.only apps', { names: list(processes) })}</p>
      )}
    </>
  );
}

type CaptureState = StatusMessage['capture'];

/** States whether traffic is captured, which is the first question of every user. */
export function Capture({ status, bridge }: { status: StatusMessage; bridge: Bridge }) {
  const translator = useTranslator();
  const { translate, time } = translator;
  const { capture, pause, phase } = status;
  const isOn = capture.enabled && capture.hosts.length > 0;
  const isPaused = isOn && pause.until !== null;
  const headline = !isOn
    ? translate('capture.nothing')
    : isPaused
      ? translate('capture.paused', { time: time(Date.parse(pause.until ?? '')) })
      : describeRecorded(capture, translator);
  return (
    <section
      className="capture"
      aria-label={translate('capture.label')}
      data-on={isOn && !isPaused}
    >
      <StatusMark on={isOn && !isPaused} />
      <div>
        <p className="headline" aria-live="polite">
          {headline}
        </p>
        <CaptureSummary
          phase={phase}
          isOn={isOn}
          isPaused={isPaused}
          codingAgentsReport={reportsTexts(status)}
        />
        <PauseControl pause={pause} isOn={isOn} bridge={bridge} />
        {isOn && <CapturedHosts capture={capture} />}
        <Restrictions capture={capture} isOn={isOn} />
      </div>
    </section>
  );
}

type CaptureSummaryProps = Pick<StatusMessage, 'phase'> & {
  isOn: boolean;
  isPaused: boolean;
  /** Whether coding agents report prompts and responses themselves. */
  codingAgentsReport: boolean;
};

const reportsTexts = ({ coding_agents: { level, files } }: StatusMessage): boolean =>
  files.some(({ purpose }) => purpose === 'telemetry') &&
  (level === 'prompts' || level === 'tools');

/** States what the company sees. During a pause, `PauseControl` does. */
function CaptureSummary({ phase, isOn, isPaused, codingAgentsReport }: CaptureSummaryProps) {
  const { translate } = useTranslator();
  if (isPaused) return <p className="muted">{translate('capture.unread until then')}</p>;
  return (
    <p className="muted">
      {translate(phase === 'enrolled' ? 'capture.seen' : 'capture.seen later')}{' '}
      {isOn && translate('capture.redacted')}
      {!isOn && !codingAgentsReport && translate('capture.unread')}
    </p>
  );
}

function Restrictions({ capture, isOn }: { capture: CaptureState; isOn: boolean }) {
  const { translate, list } = useTranslator();
  const blocked = [...capture.blocked_hosts, ...capture.blocked_processes];
  return (
    <>
      {isOn && capture.enforced && <p>{translate('capture.enforced')}</p>}
      {blocked.length > 0 && (
        <p className="names">{translate('capture.blocked', { names: list(blocked) })}</p>
      )}
    </>
  );
}

function describeRecorded(
  { hosts, processes }: CaptureState,
  { translate, list }: Translator,
): string {
  const names = hosts.map(({ host }) => host);
  return translate('capture.on', {
    apps:
      processes.length === 0
        ? translate('capture.all apps')
        : isShortList(processes)
          ? list(processes)
          : translate('capture.apps', { count: processes.length }),
    hosts: isShortList(names) ? list(names) : translate('capture.hosts', { count: names.length }),
  });
}

/** Up to three names fit into a sentence. */
const isShortList = (names: readonly string[]): boolean => names.length <= 3;

function StatusMark({ on }: { on: boolean }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect x="5" y="10.5" width="14" height="9.5" rx="2" />
      <path d={on ? 'M8.5 10.5V8a3.5 3.5 0 0 1 6.8-1.2' : 'M8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5'} />
    </svg>
  );
}
