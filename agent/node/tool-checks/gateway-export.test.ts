import { expect, test } from 'vitest';
import type { RecordRequest } from '#agent/core/tool-checks/gateway-messages.ts';
import { gatewayExport } from './gateway-export.ts';

const recording = { level: 'tools', endpoint: '', key: '', relay: null, socket: '' } as const;

/** A message with texts of this length, of characters with three bytes in UTF-8. */
const messageOf = (calls: number, length: number): RecordRequest => ({
  client_name: 'codex-mcp-client',
  server: 'files',
  session: '0192f0c1-2d3e-4f50-8a6b-7c8d9e0f1a2b',
  calls: Array.from({ length: calls }, (_, index) => ({
    id: index.toString(16).padStart(16, '0'),
    tool: 'read',
    started_at: 1000,
    ended_at: 1500,
    error: null,
    arguments: '字'.repeat(length),
    result: '字'.repeat(length),
  })),
  ended: null,
});

test.each([
  [1, 0],
  [1, 60_000],
  [100, 1000],
])('the size of %d calls with texts of %d characters is about that in a body', (calls, length) => {
  const message = messageOf(calls, length);
  const bytes = Buffer.byteLength(JSON.stringify(gatewayExport.bodyOf([message], recording)));
  const size = gatewayExport.sizeOf(message);
  expect(size).toBeGreaterThanOrEqual(bytes);
  expect(size - bytes).toBeLessThan((calls + 1) * 1000);
});
