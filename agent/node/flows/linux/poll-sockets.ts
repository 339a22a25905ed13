import type { FlowCounts } from '#agent/core/flow-table.ts';
import type { ServerPorts } from '../source/server-ports.ts';
import type { PollResult, SocketVisitor } from '../source/flow-source.ts';
import { describeSocket, readCounts } from './describe-socket.ts';
import type { SockDiag, VisitSocket } from './sock-diag-socket.ts';
import { addressFamily, tcpState } from './sock-diag-message.ts';
import type { Protocol } from './sock-diag-message.ts';

const { established, synSent, finWait1, finWait2, closeWait, lastAck, closing, listen, close } =
  tcpState;
const maskOf = (...states: number[]) => states.reduce((mask, state) => mask | (1 << state), 0);
const listedStates: Record<Protocol, number> = {
  tcp: maskOf(established, synSent, finWait1, finWait2, closeWait, lastAck, closing, listen),
  udp: maskOf(established, close),
};

/** Visits all sockets; those without a remote end only count as server ports. */
export function pollSockets(
  diag: SockDiag,
  visitor: SocketVisitor,
  ports: ServerPorts,
  userName: (uid: number) => string | null,
): PollResult {
  const counts: FlowCounts = { established: false, bytesIn: null, bytesOut: null };
  const visit =
    (protocol: Protocol): VisitSocket =>
    (record, bytes, at) => {
      if (record.port === 0) return ports.add(protocol, record.localPort);
      // Sockets in TIME-WAIT have no owner and no counts.
      if (protocol === 'tcp' && !record.hasInfo) return;
      readCounts(record, counts);
      if (visitor.update(record.cookie, counts)) return;
      visitor.add(describeSocket(record, bytes, at, protocol, userName), counts);
    };

  ports.startPoll();
  let isComplete = true;
  for (const protocol of ['tcp', 'udp'] as const)
    for (const family of [addressFamily.v4, addressFamily.v6]) {
      const result = diag.dump(family, protocol, listedStates[protocol], visit(protocol));
      if (result === 'refused' && protocol === 'tcp' && family === addressFamily.v4)
        return { complete: false, error: 'the kernel did not list its TCP sockets' };

      // The kernel refuses if it lacks IPv6 or the list of UDP sockets, so that there are none.
      if (result === 'interrupted') isComplete = false;
    }

  return { complete: isComplete };
}
