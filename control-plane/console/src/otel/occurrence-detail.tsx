import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Rejection, UnmappedExample, UnmappedName } from '../data/otel-sources.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { instrumentationOf, typeOfExample } from './occurrence-words.ts';
import './occurrence-detail.css';

type Fact = readonly [string, ReactNode];

/** The whole example of an unmapped name, and where it was found. */
export function UnmappedDetail({ one }: { one: UnmappedName }) {
  const { name, example } = one;
  return (
    <div className="detail-body occurrence">
      <p className="whole mono">
        <Text>{name}</Text>
      </p>
      {example && <LastValue text={example.text} />}
      <Facts facts={[...(example ? [typeFact(example)] : []), ...placeOf(one)]} />
    </div>
  );
}

const LastValue = ({ text }: { text: string | null }) =>
  text === null ? (
    <p className="muted">
      <Trans>Its device may not report texts, so only the length of the value is stored.</Trans>
    </p>
  ) : (
    <p className="whole mono">
      <Text>{text}</Text>
    </p>
  );

/** The whole reason of a rejection, and where it occurred last. */
export const RejectionDetail = ({ one }: { one: Rejection }) => (
  <div className="detail-body occurrence">
    <p className="whole">
      <Text>{one.reason}</Text>
    </p>
    <Facts facts={placeOf(one)} />
  </div>
);

const typeFact = (example: UnmappedExample): Fact => [t`Type`, typeOfExample(example)];

const placeOf = ({ trace_id, ...one }: UnmappedName | Rejection): Fact[] => [
  [t`Scope`, instrumentationOf(one) || t`none`],
  [t`Trace`, trace_id === null ? t`none` : <TraceId key="trace" id={trace_id} />],
];

const TraceId = ({ id }: { id: string }) => (
  <span className="button-row">
    <span className="mono whole">{id}</span>
    <CopyButton text={id} label={t`Copy trace id`} />
  </span>
);
