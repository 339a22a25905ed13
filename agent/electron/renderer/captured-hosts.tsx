import type { StatusMessage } from '../bridge.ts';
import { useSpeaker } from './speaking.ts';
import { Table } from './table.tsx';

/** Which hosts are captured, at which level that was set, and since when. */
export function CapturedHosts({ capture }: { capture: StatusMessage['capture'] }) {
  const { say, list, day } = useSpeaker();
  const { hosts, hosts_by, enabled_by, processes } = capture;
  const layer = hosts_by ? say(`layer.${hosts_by}`) : say('unknown');
  return (
    <>
      <Table
        label={say('capture.label')}
        className="hosts"
        columns={[say('capture.host'), say('capture.layer'), say('capture.since')]}
        rows={hosts.map(({ host, since }) => ({
          key: host,
          cells: [
            <span key="host" className="whole">
              {host}
            </span>,
            layer,
            since === null ? (
              say('unknown')
            ) : (
              <time key="since" dateTime={since}>
                {day(Date.parse(since))}
              </time>
            ),
          ],
        }))}
      />
      {enabled_by && enabled_by !== hosts_by && (
        <p className="muted">{say('capture.switched on', { layer: say(`layer.${enabled_by}`) })}</p>
      )}
      {processes.length > 0 && (
        <p className="names muted">{say('capture.only apps', { names: list(processes) })}</p>
      )}
    </>
  );
}
