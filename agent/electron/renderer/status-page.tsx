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

/** The state of the agent, in one or two words. */
export function describeState(
  { phase, connected }: StatusMessage,
  { translate }: Translator,
): AgentState {
  if (phase !== 'enrolled') return { text: translate(`state.${phase}`), tone: 'waiting' };
  return connected
    ? { text: translate('state.connected'), tone: 'good' }
    : { text: translate('state.disconnected'), tone: 'bad' };
}

/**
 * Lists problems with their meaning, their remedy, and the message of the agent for support; and, as
 * notes, files that could not be read.
 */
export function Problems({
  problems,
  unread_files: unread,
}: Pick<StatusMessage, 'problems' | 'unread_files'>) {
  const { translate } = useTranslator();
  return (
    <>
      {problems.length > 0 && (
        <Section title={translate('problems.title')} count={problems.length}>
          <ul className="problems">
            {problemsByKind(problems).map(([kind, ofKind]) => (
              <li key={kind}>
                <strong>{translate(`problems.${kind}`)}</strong>{' '}
                {translate(`problems.${kind} remedy`)}
                <Messages lines={ofKind} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {unread.length > 0 && (
        <Section title={translate('notes.title')}>
          <div className="note">
            {translate('notes.unread', { count: unread.length })} {translate('notes.unread remedy')}
            <Messages lines={unread} />
          </div>
        </Section>
      )}
    </>
  );
}

/** Messages of the agent, which are not translated. */
const Messages = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line) => (
    <p key={line} className="line" translate="no">
      {line}
    </p>
  ));

/** The support contact. Its address is not a link, because the window cannot open links. */
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

/**
 * Returns whether a version such as `1.4.0` is older than another. Parts that are not numbers count
 * as 0.
 */
export function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [numbersOf(version), numbersOf(than)];
  const at = theirs.findIndex((number, index) => number !== (ours[index] ?? 0));
  return at >= 0 && (ours[at] ?? 0) < (theirs[at] ?? 0);
}

const numbersOf = (version: string): number[] =>
  (version.split(/[-+]/, 1)[0] ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0);

/** The version of the app and, if there is a newer one, that version. */
export function Versions({ own, newest }: { own: string; newest: string | null | undefined }) {
  const { translate } = useTranslator();
  return (
    <>
      {translate('version.own', { version: own })}
      {newest && isOlder(own, newest) && <> · {translate('version.newer', { version: newest })}</>}
    </>
  );
}

/** The page of the window: it shows the user what the agent observes and does on this device. */
export function StatusPage({ bridge }: { bridge: Bridge }) {
  const { about, status, failed } = useStatus(bridge);
  const locale = about?.locale;
  const translator = useMemo(
    () => (locale ? createTranslator(locale) : defaultTranslator),
    [locale],
  );
  useEffect(() => void (document.documentElement.lang = translator.language), [translator]);
  const state = status && describeState(status, translator);
  return (
    <TranslatorContext value={translator}>
      <header>
        <h1>{about?.name}</h1>
        <p role="status" className="state" data-tone={state?.tone}>
          {state?.text}
        </p>
      </header>
      <main>
        {failed && <p role="alert">{translator.translate('agent.silent')}</p>}
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
      <Problems problems={status.problems} unread_files={status.unread_files} />
      <SentToday sent={status.sent_today} />
      <Exchanges exchanges={status.exchanges} bridge={bridge} />
      <AppsFound apps={status.apps} levels={status.capture_levels} />
      <Connections flows={status.recent_flows} open={status.counts.open_flows} />
      <ThisDevice status={status} />
      <Contact app={status.app} />
    </>
  );
}
