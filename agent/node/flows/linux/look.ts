import type { FlowCounts } from '#agent/core/flow-table.ts';
import type { ServerPorts } from '../source/server-ports.ts';
import type { LookResult, SocketVisitor } from '../source/source.ts';
import { describeSocket, readCounts } from './describe.ts';
import type { SockDiag, VisitSocket } from './sock-diag-socket.ts';
import { addressFamily, tcpState } from './sock-diag-message.ts';
import type { Protocol } from './sock-diag-message.ts';

const { established, synSent, finWait1, finWait2, closeWait, lastAck, closing, listen, close } =
  tcpState;
const maskOf = (...states: number[]) => states.reduce((mask, state) => mask | (1 << state), 0);
const shownStates: Record<Protocol, number> = {
  tcp: maskOf(established, synSent, finWait1, finWait2, closeWait, lastAck, closing, listen),
  udp: maskOf(established, close),
};

/** Shows all sockets to the visitor; those without a remote end only count as server ports. */
export function lookAtSockets(
  diag: SockDiag,
  visitor: SocketVisitor,
  ports: ServerPorts,
  userName: (uid: number) => string | null,
): LookResult {
  const counts: FlowCounts = { established: false, bytesIn: null, bytesOut: null };
  const visit =
    (protocol: Protocol): VisitSocket =>
    (record, bytes, at) => {
      if (record.port === 0) return ports.note(protocol, record.localPort);
      // What waits on after a connection is no socket any more, and carries no counts.
      if (protocol === 'tcp' && !record.hasInfo) return;
      readCounts(record, counts);
      if (visitor.see(record.cookie, counts)) return;
      visitor.add(describeSocket(record, bytes, at, protocol, userName), counts);
    };

  ports.startLook();
  let isComplete = true;
  for (const protocol of ['tcp', 'udp'] as const) {
    for (const family of [addressFamily.v4, addressFamily.v6]) {
      const answer = diag.dump(family, protocol, shownStates[protocol], visit(protocol));
      if (answer === 'refused' && protocol === 'tcp' && family === addressFamily.v4) {
        return { complete: false, problem: 'the kernel did not list its TCP sockets' };
      }
      // A kernel without IPv6, or without the list of UDP sockets, refuses: there are none to miss.
      if (answer === 'interrupted') isComplete = false;
    }
  }
  return { complete: isComplete };
}
