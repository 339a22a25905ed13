import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_KEY } from '../model-provider.ts';

/** A program that asks a model. */
export interface Client {
  name: string;
  host: string;
  model: string;
  /** The name that its process goes by. */
  process: RegExp;
  command: (prompt: string) => string[];
}

export const hosts = {
  openai: 'api.openai.com',
  anthropic: 'api.anthropic.com',
  gemini: 'generativelanguage.googleapis.com',
  /** No host of the catalog, on the address of OpenAI. */
  neighbour: 'news.example.org',
};

const requests = {
  openai: (content: string) => ({
    url: `https://${hosts.openai}/v1/chat/completions`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${MODEL_KEY}` },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] }),
  }),
  anthropic: (content: string) => ({
    url: `https://${hosts.anthropic}/v1/messages`,
    headers: {
      'content-type': 'application/json',
      'x-api-key': MODEL_KEY,
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify({
      model: 'claude-sonnet-4-6',
      max_tokens: 100,
      messages: [{ role: 'user', content }],
      stream: true,
    }),
  }),
};

const node =
  (program: string) =>
  (prompt: string): string[] => [
    process.execPath,
    join(import.meta.dirname, 'node-client.ts'),
    program,
    prompt,
  ];

const curl =
  (api: keyof typeof requests, ...options: string[]) =>
  (prompt: string): string[] => {
    const { url, headers, body } = requests[api](prompt);
    const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    return ['curl', '--no-progress-meter', '--fail', ...options, ...lines, '--data', body, url];
  };

const urllib =
  (api: keyof typeof requests) =>
  (prompt: string): string[] => {
    const { url, headers, body } = requests[api](prompt);
    const program = join(import.meta.dirname, 'urllib-client.py');
    return ['python3', program, url, JSON.stringify(headers), body];
  };

export const openAiStream: Client = {
  name: 'the openai SDK, streaming',
  host: hosts.openai,
  model: 'gpt-4o',
  process: /^node$/,
  command: node('openai-stream'),
};
export const anthropicStream: Client = {
  name: 'the Anthropic SDK, streaming',
  host: hosts.anthropic,
  model: 'claude-sonnet-4-6',
  process: /^node$/,
  command: node('anthropic-stream'),
};
export const openAi: Client = {
  ...openAiStream,
  name: 'the openai SDK',
  command: node('openai'),
};
export const curlHttp1: Client = {
  name: 'curl over HTTP/1.1',
  host: hosts.openai,
  model: 'gpt-4o-mini',
  process: /^curl$/,
  command: curl('openai', '--http1.1'),
};
export const curlProxied = (proxy: string): Client => ({
  ...curlHttp1,
  name: 'curl through a proxy',
  command: curl('openai', '--proxy', proxy),
});
export const curlHttp2: Client = {
  name: 'curl over HTTP/2, streaming',
  host: hosts.anthropic,
  model: 'claude-sonnet-4-6',
  process: /^curl$/,
  command: curl('anthropic', '--http2'),
};
export const nodeFetch: Client = {
  name: 'fetch of Node, streaming, over IPv6',
  host: hosts.gemini,
  model: 'gemini-2.5-flash',
  process: /^node$/,
  command: node('fetch-gemini'),
};

export const clients: readonly Client[] = [
  openAi,
  openAiStream,
  anthropicStream,
  nodeFetch,
  curlHttp1,
  curlHttp2,
  { ...curlHttp1, name: 'urllib of Python', process: /^python/, command: urllib('openai') },
];

/** Where Debian's Chromium reads what device management asks of it, certificates to trust too. */
export const BROWSER_POLICIES = '/etc/chromium';

const chromium = '/usr/bin/chromium';

/** Another Chromium reads no such policies. */
export const hasManagedBrowser = existsSync(chromium) && existsSync(BROWSER_POLICIES);

/** Shows a page and prints it. */
export const browse = (url: string): string[] => [
  chromium,
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--dump-dom',
  url,
];

/** A key as OpenAI makes them, another one for each name. */
export const secretOf = (name: string): string =>
  `sk-proj-${createHash('sha384').update(name).digest('base64url')}`;

/** Holds what nobody but a client and its server may read, and by whom it was asked. */
export const promptOf = (name: string): string =>
  `${name}: what is wrong with the key ${secretOf(name)} of zoe@example.com ?`;
