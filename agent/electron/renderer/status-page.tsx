import { useEffect, useMemo } from 'react';
import type { Bridge, StatusMessage } from '../bridge.ts';
import { createSpeaker } from '../words/speaker.ts';
import { AppsFound } from './apps-found.tsx';
import { Capture } from './capture.tsx';
import { Connections } from './connections.tsx';
import { Contact } from './contact.tsx';
import { Exchanges } from './exchanges.tsx';
import { Problems } from './problems.tsx';
import { SentToday } from './sent-today.tsx';
import { defaultSpeaker, Speaking } from './speaking.ts';
import { describeState } from './state.ts';
import { ThisDevice } from './this-device.tsx';
import { useStatus } from './use-status.ts';
import { Versions } from './versions-shown.tsx';

/** All that the agent observes and does on this device, for the person who uses it. */
export function StatusPage({ bridge }: { bridge: Bridge }) {
  const { about, status, failed } = useStatus(bridge);
  const locale = about?.locale;
  const speaker = useMemo(() => (locale ? createSpeaker(locale) : defaultSpeaker), [locale]);
  useEffect(() => void (document.documentElement.lang = speaker.language), [speaker]);
  const state = status && describeState(status, speaker);
  return (
    <Speaking value={speaker}>
      <header>
        <h1>{about?.name}</h1>
        <p role="status" className="state" data-tone={state?.tone}>
          {state?.text}
        </p>
      </header>
      <main>
        {failed && <p role="alert">{speaker.say('agent.silent')}</p>}
        {status && <Sections status={status} bridge={bridge} />}
      </main>
      <footer>
        {about && <Versions own={about.version} newest={status?.app?.newest_version} />}
      </footer>
    </Speaking>
  );
}

function Sections({ status, bridge }: { status: StatusMessage; bridge: Bridge }) {
  return (
    <>
      <Capture status={status} bridge={bridge} />
      <Problems problems={status.problems} />
      <SentToday sent={status.sent_today} />
      <Exchanges exchanges={status.exchanges} bridge={bridge} />
      <AppsFound apps={status.apps} levels={status.capture_levels} />
      <Connections flows={status.recent_flows} open={status.counts.open_flows} />
      <ThisDevice status={status} />
      <Contact app={status.app} />
    </>
  );
}
