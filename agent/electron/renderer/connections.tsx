import type { StatusMessage } from '../bridge.ts';
import { Section } from './section.tsx';
import { useTranslator } from './translator-context.ts';
import { Table } from './table.tsx';

type Flow = StatusMessage['recent_flows'][number];

export function Connections({ flows, open }: { flows: Flow[]; open: number }) {
  const { translate } = useTranslator();
  const columns = (['app', 'to', 'started', 'received', 'sent'] as const).map((name) =>
    translate(`flows.${name}`),
  );
  return (
    <Section
      title={translate('flows.title')}
      count={open > 0 && translate('flows.open', { count: open })}
    >
      {flows.length === 0 ? (
        <p className="muted">{translate('flows.none')}</p>
      ) : (
        <Table
          label={translate('flows.title')}
          className="flows"
          columns={columns}
          rows={flows.map((flow) => ({ key: flow.id, cells: cellsOf(flow) }))}
        />
      )}
    </Section>
  );
}

const cellsOf = (flow: Flow) => [
  <Name key="app" text={flow.process} title={flow.path} />,
  <Address key="to" flow={flow} />,
  <Started key="started" flow={flow} />,
  <Bytes key="received" bytes={flow.bytes_in} />,
  <Bytes key="sent" bytes={flow.bytes_out} />,
];

function Name({ text, title }: { text: string | null; title: string | null }) {
  const { translate } = useTranslator();
  return (
    <span className="whole" title={title ?? undefined}>
      {text ?? translate('unknown')}
    </span>
  );
}

function Address({ flow }: { flow: Flow }) {
  const { translate } = useTranslator();
  const { address, port } = flow;
  return (
    <span className="whole" title={translate('flows.address', { address, port: String(port) })}>
      {flow.host ?? address}
    </span>
  );
}

function Started({ flow }: { flow: Flow }) {
  const { translate, moment } = useTranslator();
  return (
    <>
      <time dateTime={flow.started_at}>{moment(Date.parse(flow.started_at))}</time>
      {flow.ended_at === null && <span className="open">{translate('flows.is open')}</span>}
    </>
  );
}

function Bytes({ bytes }: { bytes: number | null }) {
  return <>{useTranslator().bytes(bytes)}</>;
}
