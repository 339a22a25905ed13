import { spanDetail } from '../data/run-sources.ts';
import type { Span } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Json } from '../parts/json.tsx';
import { Loaded } from '../parts/notice.tsx';

/** Attributes, input and output of a span. If the list omits them, they are loaded on expansion. */
export const SpanContent = ({ run, span }: { run: string; span: Span }) =>
  span.truncated ? (
    <LongContent run={run} span={String(span.id)} />
  ) : (
    <div className="opened">
      <Details span={span} />
    </div>
  );

function LongContent({ run, span }: { run: string; span: string }) {
  const reading = useQuery(spanDetail(run, span));
  return (
    <div className="opened">
      <Loaded reading={reading}>{(detail) => <Details span={detail} />}</Loaded>
    </div>
  );
}

type Content = Pick<Span, 'attributes' | 'input_data' | 'output_data'>;

function Details({ span }: { span: Content }) {
  const parts = [
    ['Attributes', span.attributes],
    ['Input', span.input_data],
    ['Output', span.output_data],
  ] as const;
  if (parts.every(([, value]) => value === null))
    return <p className="muted">No attributes, input or output were recorded.</p>;
  return (
    <div className="detail-body previews">
      {parts.map(
        ([title, value]) =>
          value && (
            <div key={title}>
              <h3>{title}</h3>
              <Json value={value} label={title} />
            </div>
          ),
      )}
    </div>
  );
}
