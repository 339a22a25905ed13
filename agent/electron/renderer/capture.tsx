import type { StatusMessage } from '../bridge.ts';
import { listNames } from './words.ts';

// True as long as the agent has no interception.
const notYet = 'This version of the agent does not do so yet: nothing is decrypted.';

type CaptureState = StatusMessage['capture'];

/** The one thing that everybody wants to know: is anything read? */
export function Capture({ capture, phase }: Pick<StatusMessage, 'capture' | 'phase'>) {
  const on = capture.enabled && capture.hosts.length > 0;
  return (
    <section className="capture" aria-label="What is recorded" data-on={on}>
      <Mark on={on} />
      <div>
        <p className="headline">{on ? describeRecorded(capture) : 'Nothing is decrypted'}</p>
        {on && <All names={capture.processes} />}
        {on && <All names={capture.hosts} />}
        <p className="muted">
          {phase === 'enrolled' ? 'Your' : 'Once this device is enrolled, your'} company sees which
          AI apps are installed, and which app talks to which address, when and how much.{' '}
          {on ? notYet : 'What is said stays unread.'}
        </p>
      </div>
    </section>
  );
}

function describeRecorded({ hosts, processes }: CaptureState): string {
  const whose = processes.length > 0 ? inWords(processes, 'apps') : 'all apps';
  return `Traffic of ${whose} to ${inWords(hosts, 'hosts')} may be recorded by your company`;
}

/** More names than this are too many for a sentence. */
const most = 3;

const inWords = (names: string[], what: string): string =>
  names.length > most ? `${names.length} ${what}` : listNames(names);

/** The names that the sentence only counts. */
function All({ names }: { names: string[] }) {
  return names.length > most && <p className="all">{listNames(names)}</p>;
}

function Mark({ on }: { on: boolean }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect x="5" y="10.5" width="14" height="9.5" rx="2" />
      <path d={on ? 'M8.5 10.5V8a3.5 3.5 0 0 1 6.8-1.2' : 'M8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5'} />
    </svg>
  );
}
