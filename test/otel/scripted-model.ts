import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Asked {
  model: string;
  messages: { role: string }[];
  tools?: unknown[];
}

/**
 * Starts an OpenAI-compatible model that first requests the offered tool, and then responds with
 * text.
 */
export async function startScriptedModel(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      response.setHeader('Content-Type', 'application/json');
      if (request.url === '/v1/chat/completions')
        response.end(JSON.stringify(answer(body as Asked)));
      else response.writeHead(404).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function answer({ model, messages, tools }: Asked): object {
  const wantsTool = tools && !messages.some(({ role }) => role === 'tool');
  const call = { name: 'weather', arguments: '{"city":"Paris"}' };
  const message = wantsTool
    ? { content: null, tool_calls: [{ id: 'call_1', type: 'function', function: call }] }
    : { content: 'It is 20 degrees in Paris' };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_800_000_000,
    model: `${model}-2024-11-20`,
    choices: [
      {
        index: 0,
        finish_reason: wantsTool ? 'tool_calls' : 'stop',
        message: { role: 'assistant', ...message },
      },
    ],
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 500,
      total_tokens: 1500,
      prompt_tokens_details: { cached_tokens: 200 },
    },
  };
}
