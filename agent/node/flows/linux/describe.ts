import type { FlowCounts, FlowSocket } from '#agent/core/flow-table.ts';
import type { SockDiag } from './sock-diag-socket.ts';
import { endsOf, localAddressOf, remoteAddressOf, tcpState } from './sock-diag-message.ts';
import type { DiagRecord, Protocol } from './sock-diag-message.ts';
import { finalPayloadReceived, payloadReceived, payloadSent } from './tcp-bytes.ts';

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
