import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { spanDetail } from '../data/run-sources.ts';
import type { Span } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Recorded } from '../messages/recorded.tsx';
import type { Source } from '../messages/source.ts';
import { Loaded } from '../parts/notice.tsx';

/**
 * Attributes, input and output of a span. If the list omits them, they are loaded when the row is
 * expanded.
 */
export const SpanContent = ({ run, span }: { run: string; span: Span }) =>
  span.truncated ? (
    <LoadedSpan run={run} span={String(span.id)} />
  ) : (
    <div className="opened">
      <Details span={span} />
    </div>
  );

export function LoadedSpan({ run, span }: { run: string; span: string }) {
  const reading = useQuery(spanDetail(run, span));
  return (
    <div className="opened">
      <Loaded reading={reading}>{(detail) => <Details span={detail} />}</Loaded>
    </div>
  );
}

type Content = Pick<Span, 'attributes' | 'input_data' | 'output_data'>;

function Details({ span }: { span: Content }) {
  const sources = sourcesOf(span);
  if (sources.length === 0)
    return (
      <p className="muted">
        <Trans>No attributes, input or output were recorded.</Trans>
      </p>
    );
  return <Recorded label={t`span`} sources={sources} />;
}

/** The values of a span. They have no role: they may be a prompt, tool arguments or a query. */
const sourcesOf = ({ input_data, output_data, attributes }: Content): Source[] =>
  [
    { title: t`Input`, value: input_data, role: null },
    { title: t`Output`, value: output_data, role: null },
    { title: t`Attributes`, value: attributes, role: null },
  ].filter(({ value }) => value !== null);
