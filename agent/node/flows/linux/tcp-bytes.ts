import type { DiagRecord } from './sock-diag-message.ts';
import { tcpState } from './sock-diag-message.ts';

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
