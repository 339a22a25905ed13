import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { captureDetail } from '../data/capture-sources.ts';
import type { CaptureDetail } from '../data/capture-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatBytes, formatCount, formatDuration, formatExact, NONE } from '../format.ts';
import { Recorded } from '../messages/recorded.tsx';
import type { Source } from '../messages/source.ts';
import { Loaded } from '../parts/notice.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { CaptureStatus } from './capture-status.tsx';
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
            <Recorded
              label={t`exchange`}
              sources={[bodyOf(capture, 'request'), bodyOf(capture, 'response')]}
            />
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
    [t`Started`, formatExact(start)],
    [t`Duration`, ended_at === null ? NONE : formatDuration(Date.parse(ended_at) - start)],
    [t`Status`, <CaptureStatus key="status" status={capture.status} />],
    [
      t`Device`,
      <Link key="device" to={`/devices/${capture.device_id}`}>
        <Text>{capture.hostname}</Text>
      </Link>,
    ],
    [t`User`, capture.user ?? NONE],
    [t`App`, capture.app_id ?? NONE],
    [t`Process`, capture.process ?? NONE],
    [t`Provider`, capture.provider ?? NONE],
    [t`Model`, capture.model ?? NONE],
    [t`Tokens in`, tokens_in === null ? NONE : formatCount(tokens_in)],
    [t`Tokens out`, tokens_out === null ? NONE : formatCount(tokens_out)],
    [t`Redacted on the device`, redactedIn(capture.redactions).kinds || t`nothing`],
    [t`Run`, capture.run_id === null ? NONE : <RunLink key="run" id={capture.run_id} />],
  ] as const;
}

/** The run that contains the call: created from the capture, or recorded by a client. */
const RunLink = ({ id }: { id: number }) => (
  <Link to={`/runs/${id}`}>
    <Trans>Run {id}</Trans>
  </Link>
);

/** A body with its type and its original size. */
function bodyOf(capture: CaptureDetail, of: 'request' | 'response'): Source {
  const type = capture[`${of}_type`];
  const isCut = capture[`${of}_truncated`];
  const facts = [type, formatBytes(capture[`${of}_bytes`]), isCut && t`truncated`];
  return {
    title: of === 'request' ? t`Request` : t`Response`,
    value: capture[`${of}_body`] ?? '',
    role: of === 'request' ? 'user' : 'assistant',
    note: <Text>{facts.filter((fact) => typeof fact === 'string').join(', ')}</Text>,
    isCut,
  };
}
