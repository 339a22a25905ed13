import type { FlowCounts, FlowSocket } from '#agent/core/flow-table.ts';
import type { SockDiag } from './sock-diag-socket.ts';
import {
  endpointsOf,
  localAddressOf,
  remoteAddressOf,
  tcpState,
  type DiagRecord,
  type Protocol,
} from './sock-diag-message.ts';

/**
 * Returns the payload sent. `bytes_sent - bytes_retrans` of tcp_info (Linux 4.19) counts each
 * payload byte once, as soon as it is sent. `bytes_acked`, the older counter, excludes data in
 * flight, and also counts the SYN of a connection opened here and later the FIN as one byte each.
 */
export function payloadSent(record: DiagRecord): number {
  return record.bytesSent >= 0 ? record.bytesSent : Math.max(0, record.bytesAcked - 1);
}

/**
 * Returns the payload received by a socket that is still in the kernel's tables. `bytes_received`
 * counts the peer's FIN as a byte; in the states below a FIN was received.
 */
export function payloadReceived(record: DiagRecord): number {
  const hasFin =
    record.state === tcpState.closeWait ||
    record.state === tcpState.lastAck ||
    record.state === tcpState.closing;
  return record.bytesReceived - (hasFin && record.bytesReceived > 0 ? 1 : 0);
}

/**
 * Returns the payload received by a destroyed socket, whose state is always `close`. Whether a FIN
 * was counted follows from the remaining data:
 * - Unread data remains: the process read everything before it closed, so the rest is the FIN.
 * - No unread data, but the connection is in TIME-WAIT: this end closed first, and the kernel moved
 *   it to TIME-WAIT before the FIN was received.
 * - No unread data, no TIME-WAIT: the process had read the end of the stream if our own FIN was
 *   acknowledged (SYN and FIN in `bytes_acked`); otherwise the connection was reset.
 * A program that half-closes and then reads to the end is mistaken for the second case, so one byte
 * too many is reported for it.
 */
export function finalPayloadReceived(record: DiagRecord, isWaiting: () => boolean): number {
  if (record.bytesReceived === 0) return 0;
  if (record.unread > 0) return record.bytesReceived - 1;
  const wasFinAcknowledged = record.bytesSent >= 0 && record.bytesAcked >= record.bytesSent + 2;
  return record.bytesReceived - (wasFinAcknowledged && !isWaiting() ? 1 : 0);
}

/** Describes a socket. One that its process has closed has no owner, and its user id reads as 0. */
export function describeSocket(
  record: DiagRecord,
  bytes: Uint8Array,
  at: number,
  protocol: Protocol,
  userName: (uid: number) => string | null,
): FlowSocket {
  return {
    key: record.cookie,
    protocol,
    localAddress: localAddressOf(bytes, at, record.family),
    localPort: record.localPort,
    address: remoteAddressOf(bytes, at, record.family),
    port: record.port,
    inode: record.inode,
    user: record.inode === 0 ? null : userName(record.uid),
    owner: null,
  };
}

/**
 * Whether a destroyed TCP socket without a remote end was a server's. The kernel clears the remote
 * end of a connection that its process aborts, but moves its next sequence number beyond the peer's
 * window, as if that much were unacknowledged (`tcp_disconnect`). A server's socket has sent nothing.
 */
export function wasListening(record: DiagRecord): boolean {
  return record.port === 0 && record.unacknowledged === 0;
}

/** Fills `counts` for an existing socket. For UDP, the kernel counts no bytes per socket. */
export function readCounts(record: DiagRecord, counts: FlowCounts): void {
  counts.established = record.state !== tcpState.synSent;
  counts.bytesIn = record.hasInfo ? payloadReceived(record) : null;
  counts.bytesOut = record.hasInfo ? payloadSent(record) : null;
}

/**
 * Returns the counts of a socket that was just destroyed; undefined if the connection was aborted
 * and cleared.
 */
export function finalCounts(
  diag: SockDiag,
  record: DiagRecord,
  bytes: Uint8Array,
  at: number,
): FlowCounts | undefined {
  if (record.port === 0 || !record.hasInfo) return undefined;
  const isWaiting = () => {
    let isFound = false;
    diag.find('tcp', endpointsOf(bytes, at, record), (other) => {
      isFound = other.inode === 0 && other.cookie !== record.cookie;
    });
    return isFound;
  };
  return {
    established: record.bytesAcked > 0,
    bytesIn: finalPayloadReceived(record, isWaiting),
    bytesOut: payloadSent(record),
  };
}
