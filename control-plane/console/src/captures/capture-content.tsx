import { Link } from 'wouter';
import { captureDetail } from '../data/capture-sources.ts';
import type { CaptureDetail } from '../data/capture-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatBytes, formatCount, formatDuration, formatExact, none } from '../format.ts';
import { Loaded } from '../parts/notice.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { redactedIn } from './redacted-in.ts';

/** A captured exchange with its bodies, loaded when the row is expanded. */
export function CaptureContent({ id }: { id: string }) {
  const reading = useQuery(captureDetail(id));
  return (
    <div className="opened">
      <Loaded reading={reading}>
        {(capture) => (
          <div className="detail-body">
            <p className="preview mono">
              <Text>{`${capture.method} https://${capture.host}${capture.path}`}</Text>
            </p>
            <Facts facts={factsOf(capture)} />
            <div className="detail-body previews">
              <Body title="Request" of="request" capture={capture} />
              <Body title="Response" of="response" capture={capture} />
            </div>
          </div>
        )}
      </Loaded>
    </div>
  );
}

function factsOf(capture: CaptureDetail) {
  const { started_at, ended_at, tokens_in, tokens_out } = capture;
  const start = Date.parse(started_at);
  return [
    ['Started', formatExact(start)],
    ['Duration', ended_at === null ? none : formatDuration(Date.parse(ended_at) - start)],
    ['User', capture.user ?? none],
    ['Process', capture.process ?? none],
    ['Provider', capture.provider ?? none],
    ['Tokens in', tokens_in === null ? none : formatCount(tokens_in)],
    ['Tokens out', tokens_out === null ? none : formatCount(tokens_out)],
    ['Redacted on the device', redactedIn(capture.redactions).kinds || 'nothing'],
    ['Run', capture.run_id === null ? none : <RunLink key="run" id={capture.run_id} />],
  ] as const;
}

/** The run that contains the call: created from the capture, or recorded by a client. */
const RunLink = ({ id }: { id: number }) => <Link to={`/runs/${id}`}>Run {id}</Link>;

interface BodyProps {
  title: string;
  of: 'request' | 'response';
  capture: CaptureDetail;
}

function Body({ title, of, capture }: BodyProps) {
  const type = capture[`${of}_type`];
  const facts = [type, formatBytes(capture[`${of}_bytes`])].filter((fact) => fact !== null);
  const text = capture[`${of}_body`];
  return (
    <div>
      <h3>{title}</h3>
      <p className="muted">
        <Text>{facts.join(', ')}</Text>
        {capture[`${of}_truncated`] && ', truncated'}
      </p>
      {/* The region scrolls, so the keyboard must reach it. */}
      <p className="preview" role="region" aria-label={title} tabIndex={0}>
        <Text>{text ?? 'No content'}</Text>
      </p>
    </div>
  );
}
