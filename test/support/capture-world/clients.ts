import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_KEY } from '../model-provider.ts';

/** A program that calls a model. */
export interface Client {
  name: string;
  host: string;
  model: string;
  /** Matches the name of its process. */
  process: RegExp;
  command: (prompt: string) => string[];
}

export const hosts = {
  openai: 'api.openai.com',
  anthropic: 'api.anthropic.com',
  gemini: 'generativelanguage.googleapis.com',
  /** A host with the address of OpenAI that is not in the catalog. */
  uncapturedHost: 'news.example.org',
};

const requests = {
  openai: (content: string, more: object = {}) => ({
    url: `https://${hosts.openai}/v1/chat/completions`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${MODEL_KEY}` },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }], ...more }),
  }),
  anthropic: (content: string, more: object = {}) => ({
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
      ...more,
    }),
  }),
};
const streamed = { stream: true, stream_options: { include_usage: true } };

const nodeProgram =
  (file: string) =>
  (...args: string[]): string[] => [process.execPath, join(import.meta.dirname, file), ...args];

const node =
  (program: string) =>
  (prompt: string): string[] =>
    nodeProgram('node-client.ts')(program, prompt);

const curl =
  (api: keyof typeof requests, more: object, ...options: string[]) =>
  (prompt: string): string[] => {
    const { url, headers, body } = requests[api](prompt, more);
    const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    return [
      'curl',
      '--no-progress-meter',
      '--no-buffer',
      '--fail',
      ...options,
      ...lines,
      '--data',
      body,
      url,
    ];
  };

const urllib =
  (api: keyof typeof requests) =>
  (prompt: string): string[] => {
    const { url, headers, body } = requests[api](prompt);
    const program = join(import.meta.dirname, 'urllib-client.py');
    return ['python3', program, url, JSON.stringify(headers), body];
  };

/** Prints the certificate of a server. */
export const printCertificate = (host: string): string[] => [
  'python3',
  '-c',
  `import ssl; print(ssl.get_server_certificate(('${host}', 443)), end='')`,
];

/** Sends requests until it is ended; see `polling.ts`. */
export const pollCommand = nodeProgram('polling-client.ts')(`https://${hosts.openai}/v1/models`);

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
  command: curl('openai', {}, '--http1.1'),
};
const curlHttp1Stream: Client = {
  ...curlHttp1,
  name: 'curl over HTTP/1.1, streaming',
  command: curl('openai', streamed, '--http1.1'),
};
export const curlProxied = (proxy: string): Client => ({
  ...curlHttp1,
  name: 'curl through a proxy',
  command: curl('openai', {}, '--proxy', proxy),
});
export const curlHttp2: Client = {
  name: 'curl over HTTP/2, streaming',
  host: hosts.anthropic,
  model: 'claude-sonnet-4-6',
  process: /^curl$/,
  command: curl('anthropic', { stream: true }, '--http2'),
};
/** A client that speaks only HTTP/2, and sends two requests at the same time on one connection. */
export const nodeHttp2: Client = {
  ...openAi,
  name: 'HTTP/2 of Node',
  command: node('http2-openai'),
};
export const openAiRealtime: Client = {
  ...openAi,
  name: 'the realtime client of the openai SDK',
  model: 'gpt-realtime',
  command: node('realtime-openai'),
};
export const nodeFetch: Client = {
  name: 'fetch of Node, streaming, over IPv6',
  host: hosts.gemini,
  model: 'gemini-2.5-flash',
  process: /^node$/,
  command: node('fetch-gemini'),
};

const geminiSdk: Client = {
  ...nodeFetch,
  name: 'the Google SDK',
  command: node('google'),
};

/**
 * The folder from which Debian's Chromium reads managed policies, including trusted certificates.
 */
export const BROWSER_POLICIES = '/etc/chromium';

const CHROMIUM = '/usr/bin/chromium';

/** Other builds of Chromium do not read these policies. */
export const hasManagedBrowser = existsSync(CHROMIUM) && existsSync(BROWSER_POLICIES);

const browser = nodeProgram('browser-client.ts');

/** Prints the content of a page. */
export const browserCommand = (url: string): string[] => browser(CHROMIUM, url);

/** A page of another host on the same address that calls a model. */
export const browserStream: Client = {
  ...openAiStream,
  name: 'a page in Chromium, streaming',
  process: /^chromium$/,
  command: (prompt) =>
    browser(
      CHROMIUM,
      `https://${hosts.uncapturedHost}/`,
      JSON.stringify(requests.openai(prompt, { model: 'gpt-4o', ...streamed })),
    ),
};

/** The clients with streamed responses. */
export const streamingClients: readonly Client[] = [
  openAiStream,
  anthropicStream,
  { ...geminiSdk, name: 'the Google SDK, streaming', command: node('google-stream') },
  { ...openAiStream, name: 'LangChain, streaming', command: node('langchain-stream') },
  { ...openAiStream, name: 'the AI SDK of Vercel, streaming', command: node('ai-sdk-stream') },
  nodeFetch,
  curlHttp1Stream,
  curlHttp2,
  ...(hasManagedBrowser ? [browserStream] : []),
];

export const clients: readonly Client[] = [
  ...streamingClients,
  openAi,
  geminiSdk,
  { ...openAiStream, name: 'LangChain', command: node('langchain') },
  { ...openAiStream, name: 'the AI SDK of Vercel', command: node('ai-sdk') },
  curlHttp1,
  { ...curlHttp1, name: 'urllib of Python', process: /^python/, command: urllib('openai') },
];
