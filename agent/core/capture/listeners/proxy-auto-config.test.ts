import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { proxyAutoConfig } from './proxy-auto-config.ts';

const hosts = ['api.openai.com', '*.example.com'];

/** Evaluates the file and calls its function, as a browser does. */
function find(url: string, listed: readonly string[] = hosts): string {
  const { hostname } = new URL(url);
  const call = `FindProxyForURL(${JSON.stringify(url)}, ${JSON.stringify(hostname)})`;
  return runInNewContext(`${proxyAutoConfig(listed, 3129)}\n${call}`) as string;
}

test.each([
  'https://api.openai.com/v1/chat',
  'https://API.openai.com./',
  'https://api.openai.com:8443/',
  'wss://api.openai.com/realtime',
  'https://a.example.com/',
])('%s goes through the proxy, or directly if the proxy does not respond', (url) =>
  expect(find(url)).toBe('PROXY 127.0.0.1:3129; DIRECT'),
);

test.each([
  'http://api.openai.com/',
  'https://openai.com/',
  'https://x.api.openai.com/',
  'https://example.com/',
  'https://a.b.example.com/',
  'https://constructor/',
  'https://intranet/',
])('%s goes directly', (url) => expect(find(url)).toBe('DIRECT'));

test('without hosts, everything goes directly', () =>
  expect(find('https://api.openai.com/', [])).toBe('DIRECT'));

test('no host name can end the script early', () =>
  expect(find('https://api.openai.com/', ['");throw 1;//', ...hosts])).toContain('PROXY'));
