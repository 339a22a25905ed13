import type { StatusMessage } from '../bridge.ts';
import { Section } from './section.tsx';
import { formatBytes, formatMoment, unnamed } from './words.ts';

type Flow = StatusMessage['recent_flows'][number];

export function Connections({ flows, open }: { flows: Flow[]; open: number }) {
  return (
    <Section title="Latest connections" count={open > 0 && `${open} open`}>
      {flows.length === 0 ? (
        <p className="muted">None seen since the agent started</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">App</th>
              <th scope="col">To</th>
              <th scope="col">Started</th>
              <th scope="col" className="amount">
                Received
              </th>
              <th scope="col" className="amount">
                Sent
              </th>
            </tr>
          </thead>
          <tbody>
            {flows.map((flow) => (
              <Row key={flow.id} flow={flow} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function Row({ flow }: { flow: Flow }) {
  const process = flow.process ?? unnamed;
  const to = flow.host ?? flow.address;
  return (
    <tr>
      <td className="clipped" title={flow.path ?? undefined}>
        {process}
      </td>
      <td className="clipped" title={`${flow.address}, port ${flow.port}`}>
        {to}
      </td>
      <td>
        <time dateTime={flow.started_at}>{formatMoment(flow.started_at)}</time>
        {flow.ended_at === null && <span className="open">open</span>}
      </td>
      <td className="amount">{formatBytes(flow.bytes_in)}</td>
      <td className="amount">{formatBytes(flow.bytes_out)}</td>
    </tr>
  );
}
