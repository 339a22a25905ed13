import { deflateRawSync, constants } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import type { CaptureReport } from '#contract/captures.ts';
import { createCaptureTaps } from './capture-taps.ts';
import { unknownClient } from './listeners/capture-listener.ts';

const reports: CaptureReport[] = [];
const taps = createCaptureTaps({
  onReport: (report) => reports.push(report),
  onNotice: () => undefined,
});
afterEach(() => taps.close());

const head = (...lines: string[]): Buffer =>
  Buffer.from(
    [...lines, 'Upgrade: websocket', 'Connection: Upgrade', 'Host: api.openai.com', '', ''].join(
      '\r\n',
    ),
  );

/** Returns a compressed text message of the server (RFC 6455, 5.2; RFC 7692, 6). */
function compressedFrame(text: string): Buffer {
  const deflated = deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
  const size = Buffer.alloc(2);
  size.writeUInt16BE(deflated.length);
  return Buffer.concat([Buffer.of(0xc1, 126), size, deflated]);
}

test('the memory of inflated messages is limited, and is released', async () => {
  const tap = taps.open({ host: 'api.openai.com', protocol: 'http/1.1', client: unknownClient });
  tap.fromClient(head('GET /v1/live HTTP/1.1'));
  const extensions = 'permessage-deflate; server_no_context_takeover';
  tap.fromServer(head('HTTP/1.1 101 Switching', `Sec-WebSocket-Extensions: ${extensions}`));
  const large = compressedFrame('said '.repeat(200_000));
  const small = Buffer.concat(Array.from({ length: 198 }, () => Buffer.of(0x81, 1, 0x62)));
  const piece = Buffer.concat([large, large, small]);
  for (let sent = 0; sent < 40; sent += 1) tap.fromServer(piece);
  await vi.waitFor(() => expect(reports).toHaveLength(40));
  const whole = reports.filter(({ response_body }) => response_body?.includes('said said'));
  expect(whole).toHaveLength(8);
  expect(reports.every(({ response_truncated }) => response_truncated === 1)).toBe(true);
  tap.fromServer(piece);
  await vi.waitFor(() => expect(reports).toHaveLength(41));
  expect(reports[40]?.response_body).toContain('said said');
});
