import { describe, expect, test } from 'vitest';
import { emptyRecord, tcpState } from './sock-diag-message.ts';
import { finalPayloadReceived, payloadReceived, payloadSent } from './describe-socket.ts';

const record = (over: Partial<ReturnType<typeof emptyRecord>>) => ({ ...emptyRecord(), ...over });

describe('payload sent', () => {
  test.each([
    ['what was sent without what was sent twice', { bytesSent: 500, bytesAcked: 300 }, 500],
    ['an old kernel: what was acknowledged, without the SYN', { bytesAcked: 501 }, 500],
    ['an old kernel, nothing acknowledged', { bytesAcked: 0 }, 0],
  ])('%s', (_, over, expected) => expect(payloadSent(record(over))).toBe(expected));
});

describe('payload received by an open socket', () => {
  test.each([
    [tcpState.established, 1000, 1000],
    [tcpState.finWait2, 1000, 1000],
    [tcpState.closeWait, 1001, 1000],
    [tcpState.lastAck, 1001, 1000],
    [tcpState.closing, 1001, 1000],
  ])('is, in state %i with the counter %i, %i', (state, bytesReceived, expected) =>
    expect(payloadReceived(record({ state, bytesReceived }))).toBe(expected),
  );
});

// The counters were observed on kernel 6.18 after 500 bytes sent and 1,000 received.
describe('payload received by a destroyed socket', () => {
  test.each([
    ['the peer closed first', { unread: 0, bytesAcked: 502, bytesReceived: 1001 }, false, 1000],
    [
      'we closed first, its FIN came',
      { unread: 1, bytesAcked: 502, bytesReceived: 1001 },
      true,
      1000,
    ],
    [
      'we closed first, handed over',
      { unread: 0, bytesAcked: 502, bytesReceived: 1000 },
      true,
      1000,
    ],
    ['the peer reset it', { unread: 0, bytesAcked: 501, bytesReceived: 1000 }, false, 1000],
    ['nothing ever came', { unread: 0, bytesAcked: 501, bytesReceived: 0 }, false, 0],
  ])('%s', (_, over, isWaiting, expected) => {
    const destroyed = record({ state: tcpState.close, bytesSent: 500, ...over });
    expect(finalPayloadReceived(destroyed, () => isWaiting)).toBe(expected);
  });
});
