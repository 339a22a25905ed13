import { useState } from 'react';
import type { Bridge, SentExchange, StatusMessage } from '../bridge.ts';
import { Section } from './section.tsx';
import { useSpeaker } from './speaking.ts';

type InBrief = StatusMessage['exchanges'][number];
type Asking = Pick<Bridge, 'getExchange'>;

/** What was said to AI hosts, exactly as the company has it. */
export function Exchanges({ exchanges, bridge }: { exchanges: InBrief[]; bridge: Asking }) {
  const { say } = useSpeaker();
  return (
    <Section title={say('exchanges.title')} count={exchanges.length}>
      {exchanges.length === 0 ? (
        <p className="muted">{say('exchanges.none')}</p>
      ) : (
        <div className="exchanges">
          {exchanges.map((exchange) => (
            <Exchange key={exchange.id} exchange={exchange} bridge={bridge} />
          ))}
        </div>
      )}
    </Section>
  );
}

type Read = SentExchange | 'gone' | undefined;

function Exchange({ exchange, bridge }: { exchange: InBrief; bridge: Asking }) {
  const { moment } = useSpeaker();
  const [read, setRead] = useState<Read>();
  const ask = (): void => {
    const asked = bridge.getExchange(exchange.id);
    asked.then((found) => setRead(found ?? 'gone')).catch(() => setRead('gone'));
  };
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && ask()}>
      <summary>
        <span className="whole">{exchange.host}</span>
        <span className="muted whole">
          {[exchange.process, exchange.model].filter(Boolean).join(', ')}
        </span>
        <time dateTime={exchange.started_at}>{moment(Date.parse(exchange.started_at))}</time>
        <Redactions redactions={exchange.redactions} />
      </summary>
      <Body read={read} />
    </details>
  );
}

function Redactions({ redactions }: Pick<InBrief, 'redactions'>) {
  const { say } = useSpeaker();
  const kinds = Object.entries(redactions);
  if (kinds.length === 0) return <span className="muted">{say('exchanges.not redacted')}</span>;
  return (
    <ul className="redactions" aria-label={say('exchanges.replaced')}>
      {kinds.map(([kind, count]) => (
        <li key={kind}>{say('exchanges.redacted', { count, kind })}</li>
      ))}
    </ul>
  );
}

function Body({ read }: { read: Read }) {
  const { say } = useSpeaker();
  if (read === undefined) return <p className="muted">{say('exchanges.loading')}</p>;
  if (read === 'gone') return <p className="muted">{say('exchanges.gone')}</p>;
  return (
    <div className="sent">
      <p className="mono whole" translate="no">
        {read.method} {read.path} {read.status}
      </p>
      {read.refused && <p>{say('exchanges.refused')}</p>}
      <Text
        title={say('exchanges.request')}
        text={read.request_body}
        isCut={read.request_truncated}
      />
      <Text
        title={say('exchanges.response')}
        text={read.response_body}
        isCut={read.response_truncated}
      />
    </div>
  );
}

function Text({ title, text, isCut }: { title: string; text: string | null; isCut: boolean }) {
  const { say } = useSpeaker();
  return (
    <>
      <h3>{title}</h3>
      {text === null ? (
        <p className="muted">{say('exchanges.no body')}</p>
      ) : (
        // It scrolls, so the keyboard has to reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre tabIndex={0} role="region" aria-label={title} translate="no">
          {text}
        </pre>
      )}
      {isCut && <p className="muted">{say('exchanges.cut')}</p>}
    </>
  );
}
