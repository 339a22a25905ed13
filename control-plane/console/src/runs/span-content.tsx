import { spanDetail } from '../data/run-sources.ts';
import type { SpanDetail } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Json } from '../parts/json.tsx';
import { Loaded } from '../parts/notice.tsx';

/** What a span carries: read when it is opened. */
export function SpanContent({ run, span }: { run: string; span: string }) {
  const reading = useQuery(spanDetail(run, span));
  return (
    <div className="opened">
      <Loaded reading={reading}>{(detail) => <Carried span={detail} />}</Loaded>
    </div>
  );
}

function Carried({ span }: { span: SpanDetail }) {
  const parts = [
    ['Attributes', span.attributes],
    ['Input', span.input_data],
    ['Output', span.output_data],
  ] as const;
  if (parts.every(([, value]) => value === null))
    return <p className="muted">Nothing was recorded with this span.</p>;
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
