import type { FlowCounts, FlowSocket } from '#agent/core/flow-table.ts';
import type { SockDiag } from './sock-diag-socket.ts';
import {
  endsOf,
  localAddressOf,
  remoteAddressOf,
  tcpState,
  type DiagRecord,
  type Protocol,
} from './sock-diag-message.ts';

/**
 * Payload sent. `bytes_sent - bytes_retrans` of tcp_info (Linux 4.19) counts each payload byte
 * once, as soon as it is sent. `bytes_acked`, the older counter, lags behind by what is in flight
 * and counts the SYN of a connection opened here and later the FIN as a byte each.
 */
export function payloadSent(record: DiagRecord): number {
  return record.bytesSent >= 0 ? record.bytesSent : Math.max(0, record.bytesAcked - 1);
}

/**
 * Payload received by a socket that is still in the kernel's tables. `bytes_received` counts the
 * peer's FIN as a byte, and the states below are those after one has arrived.
 */
export function payloadReceived(record: DiagRecord): number {
  const hasFin =
    record.state === tcpState.closeWait ||
    record.state === tcpState.lastAck ||
    record.state === tcpState.closing;
  return record.bytesReceived - (hasFin && record.bytesReceived > 0 ? 1 : 0);
}

/**
 * Payload received by a socket that was destroyed; its state is `close` then, whatever happened.
 * Whether a FIN was counted follows from what is left:
 * - something unread: the process read everything before it closed, so this is the FIN;
 * - nothing unread, but the connection waits on in TIME-WAIT: this end closed first, and the
 *   kernel handed over to TIME-WAIT before the FIN came;
 * - nothing unread, nothing waiting: the process had read the end of the stream, if our own FIN
 *   was acknowledged (SYN and FIN in `bytes_acked`); if not, the connection was reset.
 * A program that half-closes and then reads to the end is taken for the second case: one byte
 * too many is reported for it.
 */
export function finalPayloadReceived(record: DiagRecord, isWaiting: () => boolean): number {
  if (record.bytesReceived === 0) return 0;
  if (record.unread > 0) return record.bytesReceived - 1;
  const wasFinAcknowledged = record.bytesSent >= 0 && record.bytesAcked >= record.bytesSent + 2;
  return record.bytesReceived - (wasFinAcknowledged && !isWaiting() ? 1 : 0);
}

/** A socket that its process has closed has no owner any more: its user id reads 0. */
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

/** Fills `counts` for a socket that exists. UDP: the kernel counts no bytes per socket. */
export function readCounts(record: DiagRecord, counts: FlowCounts): void {
  counts.established = record.state !== tcpState.synSent;
  counts.bytesIn = record.hasInfo ? payloadReceived(record) : null;
  counts.bytesOut = record.hasInfo ? payloadSent(record) : null;
}

/** The counts of a socket just destroyed; nothing if the connection was aborted and cleared. */
export function finalCounts(
  diag: SockDiag,
  record: DiagRecord,
  bytes: Uint8Array,
  at: number,
): FlowCounts | undefined {
  if (record.port === 0 || !record.hasInfo) return undefined;
  const isWaiting = () => {
    let isFound = false;
    diag.find('tcp', endsOf(bytes, at, record), (other) => {
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
