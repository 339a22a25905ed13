import { useEffect, useMemo } from 'react';
import type { Bridge, StatusMessage } from '../bridge.ts';
import { createTranslator, type Translator } from '../messages/translator.ts';
import { AppsFound } from './apps-found.tsx';
import { Capture } from './capture.tsx';
import { CodingAgents } from './coding-agents.tsx';
import { Connections } from './connections.tsx';
import { Exchanges } from './exchanges.tsx';
import { SentToday, ThisDevice } from './this-device.tsx';
import { defaultTranslator, TranslatorContext, useTranslator } from './translator-context.ts';
import { useStatus } from './use-status.ts';
import { Section } from './section.tsx';
import { problemsByKind } from './problem-kinds.ts';

export interface AgentState {
  text: string;
  tone: 'good' | 'waiting' | 'bad';
}

/** How the agent is, in a word or two. */
export function describeState(
  { phase, connected }: StatusMessage,
  { translate }: Translator,
): AgentState {
  if (phase !== 'enrolled') return { text: translate(`state.${phase}`), tone: 'waiting' };
  return connected
    ? { text: translate('state.connected'), tone: 'good' }
    : { text: translate('state.disconnected'), tone: 'bad' };
}

/** Each problem with its meaning, its remedy, and the agent's own message for support. */
export function Problems({ problems }: { problems: string[] }) {
  const { translate } = useTranslator();
  if (problems.length === 0) return null;
  return (
    <Section title={translate('problems.title')} count={problems.length}>
      <ul className="problems">
        {problemsByKind(problems).map(([kind, lines]) => (
          <li key={kind}>
            <strong>{translate(`problems.${kind}`)}</strong> {translate(`problems.${kind} remedy`)}
            {lines.map((line) => (
              <p key={line} className="line" translate="no">
                {line}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The support contact. The address is no link, because the window opens nothing. */
export function Contact({ app }: Pick<StatusMessage, 'app'>) {
  const { translate } = useTranslator();
  return (
    <Section title={translate('contact.title')}>
      <div className="contact">
        <p>{app?.contact ?? translate('contact.unknown')}</p>
        {app?.contact_address && <p className="whole">{app.contact_address}</p>}
      </div>
    </Section>
  );
}

/** Is the one version such as `1.4.0` older than the other? What is no number counts as 0. */
export function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [numbersOf(version), numbersOf(than)];
  const at = theirs.findIndex((number, index) => number !== (ours[index] ?? 0));
  return at >= 0 && (ours[at] ?? 0) < (theirs[at] ?? 0);
}

const numbersOf = (version: string): number[] =>
  (version.split(/[-+]/, 1)[0] ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0);

/** The app's version, and the one that is to come. */
export function Versions({ own, newest }: { own: string; newest: string | null | undefined }) {
  const { translate } = useTranslator();
  return (
    <>
      {translate('version.own', { version: own })}
      {newest && isOlder(own, newest) && <> · {translate('version.newer', { version: newest })}</>}
    </>
  );
}

/** All that the agent observes and does on this device, for the person who uses it. */
export function StatusPage({ bridge }: { bridge: Bridge }) {
  const { about, status, failed } = useStatus(bridge);
  const locale = about?.locale;
  const speaker = useMemo(() => (locale ? createTranslator(locale) : defaultTranslator), [locale]);
  useEffect(() => void (document.documentElement.lang = speaker.language), [speaker]);
  const state = status && describeState(status, speaker);
  return (
    <TranslatorContext value={speaker}>
      <header>
        <h1>{about?.name}</h1>
        <p role="status" className="state" data-tone={state?.tone}>
          {state?.text}
        </p>
      </header>
      <main>
        {failed && <p role="alert">{speaker.translate('agent.silent')}</p>}
        {status && <Sections status={status} bridge={bridge} />}
      </main>
      <footer>
        {about && <Versions own={about.version} newest={status?.app?.newest_version} />}
      </footer>
    </TranslatorContext>
  );
}

function Sections({ status, bridge }: { status: StatusMessage; bridge: Bridge }) {
  return (
    <>
      <Capture status={status} bridge={bridge} />
      <CodingAgents agents={status.coding_agents} />
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
