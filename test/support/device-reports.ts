import { tlsFetch, type TestDevice } from './device.ts';

export const flowOf = (id: string, more: object = {}) => ({
  id,
  app_id: 'claude-code',
  process: 'claude',
  path: '/usr/local/bin/claude',
  pid: 42,
  user: 'ada',
  host: 'api.anthropic.com',
  address: '203.0.113.9',
  port: 443,
  protocol: 'tcp' as const,
  started_at: '2026-03-01T10:00:00.000Z',
  ended_at: null,
  bytes_in: 10,
  bytes_out: 20,
  ...more,
});

export const appOf = (name: string, more: object = {}) => ({
  kind: 'cli' as const,
  name,
  catalog_id: null,
  version: '1.0.0',
  path: `/usr/local/bin/${name}`,
  user: 'ada',
  confidence: 0.9,
  evidence: ['its package names it'],
  risk_flags: [],
  ...more,
});

export const captureOf = (id: string, started_at: string, more: object = {}) => ({
  id,
  host: 'api.openai.com',
  app_id: 'codex',
  process: 'codex',
  user: 'ada',
  method: 'POST',
  path: '/v1/responses',
  status: 200,
  started_at,
  ended_at: null,
  request_type: 'application/json',
  response_type: 'text/event-stream',
  request_bytes: 1234,
  response_bytes: 5678,
  request_truncated: false,
  response_truncated: true,
  request_body: '{"input":"Where is my order?"}',
  response_body: 'data: {"delta":"It is on its way."}',
  redactions: { EMAIL: 2 },
  model: 'gpt-5',
  provider: 'openai',
  tokens_in: 12,
  tokens_out: 34,
  ...more,
});

/** Sends bytes as a report; returns the status, and the error or the response. */
export async function post(
  { tls }: Pick<TestDevice, 'tls'>,
  url: string,
  { body, encoding }: { body: Uint8Array; encoding?: string },
): Promise<[number, string]> {
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    ...(encoding && { 'Content-Encoding': encoding }),
  };
  const answer = await tlsFetch(tls)(url, { method: 'POST', headers, body: body as BodyInit });
  return [answer.status, await answer.text()];
}
