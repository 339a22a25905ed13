import { expect, test } from 'vitest';
import { textOf } from '../wire/testing/recorder.ts';
import { parseRequestLine } from '../wire/http1-head.ts';
import { isLlmCall, keepsAlive, buildRefusalResponse } from './refusal.ts';

const refusal = { policy: 'No "GPT"', reason: "Model 'gpt-4o' is blocked" };
const MESSAGE = `Blocked by your organization's policy "No \\"GPT\\"": Model 'gpt-4o' is blocked`;

function parsed(host: string, target: string, keepAlive = true) {
  const answer = textOf(buildRefusalResponse({ host, target, keepAlive }, refusal));
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [status, ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.split(': ')));
  return { status, headers: headers as Record<string, string>, text: body };
}

const openAi = {
  error: { message: MESSAGE, type: 'permission_error', param: null, code: 'policy_refused' },
};
const anthropic = { type: 'error', error: { type: 'permission_error', message: MESSAGE } };
const google = { error: { code: 403, message: MESSAGE, status: 'PERMISSION_DENIED' } };
const other = {
  error: { message: MESSAGE, type: 'permission_error' },
  message: MESSAGE,
  detail: MESSAGE,
};

test.each<[string, string, object]>([
  ['api.openai.com', '/v1/chat/completions', openAi],
  ['api.openai.com', '/v1/responses?x=/v1/messages', openAi],
  ['api.openai.com', '/v1/embeddings', openAi],
  ['api.openai.com', '/v1/images/generations', openAi],
  ['api.openai.com', '//v1//chat/completions/', openAi],
  ['api.openai.com', '/v1/embeddings/', openAi],
  ['x.openai.azure.com', '/openai/deployments/d/chat/completions?api-version=1', openAi],
  ['api.mistral.ai', '/v1/fim/completions', openAi],
  ['openrouter.ai', '/api/v1/completions', openAi],
  ['api.anthropic.com', '/v1/messages', anthropic],
  ['claude.ai', '/api/organizations/o/chat_conversations/c/completion', anthropic],
  ['generativelanguage.googleapis.com', '/v1beta/models/g:streamGenerateContent?alt=sse', google],
  ['generativelanguage.googleapis.com', '/v1beta/models/g:embedContent', google],
  ['generativelanguage.googleapis.com', '/v1beta/models/imagen-4.0-generate-001:predict', google],
  ['bedrock-runtime.eu-west-1.amazonaws.com', '/model/m/converse', { message: MESSAGE }],
  ['bedrock-runtime.eu-west-1.amazonaws.com', '/model/m/invoke', { message: MESSAGE }],
  ['ollama.com', '/api/chat', { error: MESSAGE }],
  ['ollama.com', '/api/embed', { error: MESSAGE }],
  ['api.cohere.com', '/v2/chat', { message: MESSAGE }],
  ['api.cohere.com', '/v2/embed', { message: MESSAGE }],
  ['chatgpt.com', '/backend-api/conversation', other],
])('%s%s is refused in the format of its provider', (host, target, shape) => {
  const { status, headers, text } = parsed(host, target);
  expect(status).toBe('HTTP/1.1 403 Forbidden');
  expect(JSON.parse(text)).toEqual(shape);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text, 'latin1')),
  });
});

test('AWS names the error in a header', () => {
  const { headers } = parsed('bedrock-runtime.eu-west-1.amazonaws.com', '/model/m/converse');
  expect(headers['x-amzn-errortype']).toBe('AccessDeniedException');
});

test("the content length counts bytes, whatever the policy's name", () => {
  const answer = buildRefusalResponse(
    { host: 'api.openai.com', target: '/v1/responses', keepAlive: true },
    { policy: null, reason: 'Größe – 過大' },
  );
  const text = new TextDecoder().decode(answer);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(body).toContain("Blocked by your organization's policy: Größe – 過大");
  expect(head).toContain(`content-length: ${Buffer.byteLength(body)}\r\n`.trimEnd());
});

test('a response that ends the connection says so', () => {
  expect(parsed('api.openai.com', '/v1/responses', false).headers['connection']).toBe('close');
  expect(parsed('api.openai.com', '/v1/responses').headers).not.toHaveProperty('connection');
});

test.each([
  ['http/1.1', [], true],
  ['http/1.1', [['connection', 'Keep-Alive, CLOSE']], false],
  ['http/1.0', [], false],
] as const)('a connection with %s and %j is kept: %s', (version, headers, kept) =>
  expect(keepsAlive({ version, headers })).toBe(kept),
);

test.each([
  ['POST', '/v1/chat/completions', 'api.openai.com', true],
  ['POST', '/v1/chat/completions?x=1', 'API.openai.com:443', true],
  ['GET', '/v1/chat/completions', 'api.openai.com', false],
  ['POST', '/v1/files', 'api.openai.com', false],
  ['POST', '/v1/chat/completions', 'other.example', false],
  ['POST', 'https://api.openai.com/v1/chat/completions', 'api.openai.com', true],
  ['POST', '/v1/x/%2e%2e/ch%61t%2Fcompletions/.', 'api.openai.com', true],
  // Servers differ in which of the two they follow.
  ['POST', 'https://other.example/v1/chat/completions', 'api.openai.com', true],
  ['POST', 'https://api.openai.com:443/v1/chat/completions', 'other.example', true],
  ['POST', 'https://other.example/v1/chat/completions', 'other.example', false],
])('%s %s for %s is held as a call: %s', (method, target, host, held) => {
  const line = parseRequestLine(`${method} ${target} HTTP/1.1`);
  const head = { ...line, headers: [['host', host]] } as const;
  expect(isLlmCall('api.openai.com', head)).toBe(held);
});

test.each([
  ['http/1.0', []],
  ['http/1.1', ['']],
  ['http/1.1', ['', 'other.example']],
])('a request that names no host is held: %s %j', (version, hosts) => {
  const line = parseRequestLine(`POST /v1/chat/completions ${version.toUpperCase()}`);
  const headers = hosts.map((host) => ['host', host] as const);
  expect(isLlmCall('api.openai.com', { ...line, headers })).toBe(!hosts.includes('other.example'));
});

test('a request with several hosts is held if one of them is captured', () => {
  const headers = ['other.example', 'api.openai.com'].map((host) => ['host', host] as const);
  const line = parseRequestLine('POST /v1/chat/completions HTTP/1.1');
  expect(isLlmCall('api.openai.com', { ...line, headers })).toBe(true);
});
