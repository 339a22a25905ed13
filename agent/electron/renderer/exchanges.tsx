import { useState } from 'react';
import type { Bridge, SentExchange, StatusMessage } from '../bridge.ts';
import { Section } from './section.tsx';
import { useTranslator } from './translator-context.ts';

type ExchangeSummary = StatusMessage['exchanges'][number];
type ExchangeBridge = Pick<Bridge, 'getExchange'>;

/** Lists exchanges with AI hosts as they were uploaded. */
export function Exchanges({
  exchanges,
  bridge,
}: {
  exchanges: ExchangeSummary[];
  bridge: ExchangeBridge;
}) {
  const { translate } = useTranslator();
  return (
    <Section title={translate('exchanges.title')} count={exchanges.length}>
      {exchanges.length === 0 ? (
        <p className="muted">{translate('exchanges.none')}</p>
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

type LoadedExchange = SentExchange | 'gone' | undefined;

function Exchange({ exchange, bridge }: { exchange: ExchangeSummary; bridge: ExchangeBridge }) {
  const { moment } = useTranslator();
  const [read, setRead] = useState<LoadedExchange>();
  const load = (): void => {
    const loading = bridge.getExchange(exchange.id);
    loading.then((found) => setRead(found ?? 'gone')).catch(() => setRead('gone'));
  };
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && load()}>
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

function Redactions({ redactions }: Pick<ExchangeSummary, 'redactions'>) {
  const { translate } = useTranslator();
  const kinds = Object.entries(redactions);
  if (kinds.length === 0)
    return <span className="muted">{translate('exchanges.not redacted')}</span>;
  return (
    <ul className="redactions" aria-label={translate('exchanges.replaced')}>
      {kinds.map(([kind, count]) => (
        <li key={kind}>{translate('exchanges.redacted', { count, kind })}</li>
      ))}
    </ul>
  );
}

function Body({ read }: { read: LoadedExchange }) {
  const { translate } = useTranslator();
  if (read === undefined) return <p className="muted">{translate('exchanges.loading')}</p>;
  if (read === 'gone') return <p className="muted">{translate('exchanges.gone')}</p>;
  return (
    <div className="sent">
      <p className="mono whole" translate="no">
        {read.method} {read.path} {read.status}
      </p>
      {read.refused && <p>{translate('exchanges.refused')}</p>}
      <Text
        title={translate('exchanges.request')}
        text={read.request_body}
        isCut={read.request_truncated}
      />
      <Text
        title={translate('exchanges.response')}
        text={read.response_body}
        isCut={read.response_truncated}
      />
    </div>
  );
}

function Text({ title, text, isCut }: { title: string; text: string | null; isCut: boolean }) {
  const { translate } = useTranslator();
  return (
    <>
      <h3>{title}</h3>
      {text === null ? (
        <p className="muted">{translate('exchanges.no body')}</p>
      ) : (
        // The text scrolls, so it must be focusable with the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre tabIndex={0} role="region" aria-label={title} translate="no">
          {text}
        </pre>
      )}
      {isCut && <p className="muted">{translate('exchanges.cut')}</p>}
    </>
  );
}
