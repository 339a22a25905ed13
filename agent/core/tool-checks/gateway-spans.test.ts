import { expect, test } from 'vitest';
import type { RecordRequest } from './gateway-messages.ts';
import { gatewaySpans, otlpBody } from './gateway-spans.ts';

const message: RecordRequest = {
  client_name: 'codex-mcp-client',
  server: 'files',
  session: '0192f0c1-2d3e-4f50-8a6b-7c8d9e0f1a2b',
  calls: [
    {
      id: '00000000000000aa',
      tool: 'read',
      started_at: 1000,
      ended_at: 1500,
      error: null,
      arguments: '{"path":"secret.txt"}',
      result: '"secret"',
    },
  ],
  ended: null,
};
const at = (level: 'metadata' | 'prompts' | 'tools') => ({
  level,
  endpoint: '',
  key: '',
  relay: null,
});

test('a call is a tool span in the trace of its gateway', () => {
  expect(gatewaySpans(message, at('metadata'))).toMatchObject([
    {
      traceId: '0192f0c12d3e4f508a6b7c8d9e0f1a2b',
      spanId: '00000000000000aa',
      parentSpanId: '0192f0c12d3e4f50',
      name: 'execute_tool read',
      startTimeUnixNano: '1000000000',
      endTimeUnixNano: '1500000000',
      status: { code: 1 },
    },
  ]);
});

test('arguments and results are recorded only with the content of tools', () => {
  for (const level of ['metadata', 'prompts'] as const)
    expect(JSON.stringify(gatewaySpans(message, at(level)))).not.toContain('secret');
  const full = JSON.stringify(otlpBody(gatewaySpans(message, at('tools')), '1.0.0'));
  expect(full).toContain('secret.txt');
  expect(full).toContain('gen_ai.tool.call.result');
});

test('the end of a gateway is the root span, with its error', () => {
  const ended = { started_at: 0, ended_at: 2000, error: 'the server ended: exit code 3' };
  const [, root] = gatewaySpans({ ...message, ended }, at('tools'));
  expect(root).toMatchObject({
    spanId: '0192f0c12d3e4f50',
    status: { code: 2, message: 'the server ended: exit code 3' },
  });
  expect(root).not.toHaveProperty('parentSpanId');
});
