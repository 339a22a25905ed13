import { once } from 'node:events';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { MODEL_KEY } from '../model-provider.ts';

/*
 * A program that calls a model with a client library for Node, and prints each chunk of the
 * response, or the type of the error. Arguments: the library, and the prompt.
 */

type Pieces = AsyncIterable<string | undefined> | Iterable<string | undefined>;

const programs: Record<string, (prompt: string) => Promise<Pieces>> = {
  async openai(content) {
    const { default: OpenAi } = await import('openai');
    const messages = [{ role: 'user' as const, content }];
    const client = new OpenAi({ apiKey: MODEL_KEY, maxRetries: 0 });
    const answer = await client.chat.completions.create({ model: 'gpt-4o', messages });
    return [answer.choices[0]?.message.content ?? ''];
  },
  async 'openai-stream'(content) {
    const { default: OpenAi } = await import('openai');
    const messages = [{ role: 'user' as const, content }];
    const client = new OpenAi({ apiKey: MODEL_KEY, maxRetries: 0 });
    const stream = await client.chat.completions.create({
      model: 'gpt-4o',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    return map(stream, ({ choices }) => choices[0]?.delta.content ?? undefined);
  },
  async 'anthropic-stream'(content) {
    const { default: Anthropic } = await import('@anthropic-ai/sdk');
    const client = new Anthropic({ apiKey: MODEL_KEY, maxRetries: 0 });
    const stream = await client.messages.create({
      model: 'claude-sonnet-4-6',
      max_tokens: 100,
      messages: [{ role: 'user', content }],
      stream: true,
    });
    return map(stream, (event) =>
      event.type === 'content_block_delta' && event.delta.type === 'text_delta'
        ? event.delta.text
        : undefined,
    );
  },
  async google(contents) {
    const { GoogleGenAI } = await import('@google/genai');
    const { models } = new GoogleGenAI({ apiKey: MODEL_KEY });
    const answer = await models.generateContent({ model: 'gemini-2.5-flash', contents });
    return [answer.text];
  },
  async 'google-stream'(contents) {
    const { GoogleGenAI } = await import('@google/genai');
    const { models } = new GoogleGenAI({ apiKey: MODEL_KEY });
    const stream = await models.generateContentStream({ model: 'gemini-2.5-flash', contents });
    return map(stream, ({ text }) => text);
  },
  async langchain(prompt) {
    return [(await (await langChain()).invoke(prompt)).text];
  },
  async 'langchain-stream'(prompt) {
    return map(await (await langChain()).stream(prompt), ({ text }) => text);
  },
  async 'ai-sdk'(prompt) {
    const { generateText } = await import('ai');
    return [(await generateText({ model: await aiSdkModel(), prompt, maxRetries: 0 })).text];
  },
  async 'ai-sdk-stream'(prompt) {
    const { streamText } = await import('ai');
    return streamText({ model: await aiSdkModel(), prompt, maxRetries: 0 }).textStream;
  },
  async 'fetch-gemini'(prompt) {
    const path = '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse';
    const answer = await fetch(`https://generativelanguage.googleapis.com${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': MODEL_KEY },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: prompt }] }] }),
    });
    if (!answer.ok || !answer.body) throw new Error(`returned ${answer.status}`);
    return answer.body.pipeThrough(new TextDecoderStream());
  },
  'http2-openai': sendHttp2Requests,
  'realtime-openai': sendRealtimeRequest,
};

/** Sends two requests at the same time on one connection over HTTP/2; prints a line for each. */
async function sendHttp2Requests(content: string): Promise<string[]> {
  const session = connect('https://api.openai.com');
  const sendRequest = async (model: string): Promise<string> => {
    const request = session.request({
      ':method': 'POST',
      ':path': '/v1/chat/completions',
      'content-type': 'application/json',
      authorization: `Bearer ${MODEL_KEY}`,
    });
    request.end(JSON.stringify({ model, messages: [{ role: 'user', content }] }));
    const [headers] = (await once(request, 'response')) as [IncomingHttpHeaders];
    const { error } = JSON.parse(await text(request)) as { error?: { message: string } };
    return `${model}: ${String(headers[':status'])} ${error?.message ?? ''}`.trim();
  };
  try {
    return [(await Promise.all(['gpt-4o', 'gpt-4o-mini'].map(sendRequest))).join('\n')];
  } finally {
    session.close();
  }
}

/**
 * Sends a message over a WebSocket to a server that echoes it; prints the echo or the error event.
 */
async function sendRealtimeRequest(text: string): Promise<string[]> {
  const { OpenAIRealtimeWS } = await import('openai/realtime/ws');
  const { default: OpenAi } = await import('openai');
  const client = new OpenAi({ apiKey: MODEL_KEY });
  const realtime = new OpenAIRealtimeWS({ model: 'gpt-realtime' }, client);
  const responseEvent = new Promise<string>((resolve) => {
    realtime.on('error', ({ message }) => resolve(message));
    realtime.on('event', ({ type }) => {
      if (type !== 'error') resolve(type);
    });
  });
  await once(realtime.socket, 'open');
  const content = [{ type: 'input_text' as const, text }];
  realtime.send({
    type: 'response.create',
    response: { input: [{ type: 'message', role: 'user', content }] },
  });
  const answer = await responseEvent;
  realtime.close();
  return [answer];
}

async function langChain() {
  const { ChatOpenAI } = await import('@langchain/openai');
  return new ChatOpenAI({ model: 'gpt-4o', apiKey: MODEL_KEY, maxRetries: 0 });
}

async function aiSdkModel() {
  const { createOpenAI } = await import('@ai-sdk/openai');
  return createOpenAI({ apiKey: MODEL_KEY }).chat('gpt-4o');
}

async function* map<T>(stream: AsyncIterable<T>, piece: (one: T) => string | undefined) {
  for await (const one of stream) yield piece(one);
}

const [program = '', prompt = ''] = process.argv.slice(2);
try {
  const pieces = await programs[program]?.(prompt);
  for await (const piece of pieces ?? []) process.stdout.write(piece ?? '');
} catch (error) {
  const { name, message } = error as Error;
  process.stderr.write(`${(error as object).constructor.name || name}: ${message}\n`);
  process.exitCode = 1;
}
