import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { opencodeRecordingPlugin } from './opencode-plugin.ts';

interface Span {
  name: string;
  traceId: string;
  startTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string } }[];
}
interface Plugin {
  event: (input: { event: { type: string; properties: object } }) => Promise<void>;
}

let relay: Server;
let spans: Span[];
let emit: (type: string, properties: object) => Promise<void>;
beforeEach(async () => {
  spans = [];
  relay = createServer((request, response) => {
    void json(request).then((body) => {
      const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
      for (const { scopeSpans } of resourceSpans)
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      response.end('{}');
    });
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  const { port } = relay.address() as AddressInfo;
  const source = opencodeRecordingPlugin(
    { level: 'tools', endpoint: 'https://g.example', key: 'k', relay: null, socket: '/s' },
    `http://127.0.0.1:${port}`,
  );
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  const module = (await import(/* @vite-ignore */ url)) as {
    GatehouseRecording: () => Promise<Plugin>;
  };
  const plugin = await module.GatehouseRecording();
  emit = (type, properties) => plugin.event({ event: { type, properties } });
});
afterEach(() => new Promise((resolve) => relay.close(resolve)));

const text = (sessionID: string, messageID: string, value: string) =>
  emit('message.part.updated', {
    part: { type: 'text', id: `${messageID}-text`, sessionID, messageID, text: value },
  });
const prompt = async (session: string, created: number) => {
  const id = `${session}-prompt`;
  await emit('message.updated', {
    info: { role: 'user', id, sessionID: session, time: { created } },
  });
  await text(session, id, `prompt of ${session}`);
};
const tokens = { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } };
const answer = async (session: string, end: number) => {
  const id = `${session}-answer`;
  await text(session, id, `answer of ${session}`);
  await emit('message.updated', {
    info: {
      role: 'assistant',
      id,
      sessionID: session,
      parentID: `${session}-prompt`,
      time: { created: end - 1, completed: end },
      tokens,
      cost: 0,
    },
  });
};
const tool = (session: string) =>
  emit('message.part.updated', {
    part: {
      type: 'tool',
      id: `${session}-tool`,
      sessionID: session,
      messageID: `${session}-answer`,
      tool: 'bash',
      callID: '1',
      state: { status: 'completed', input: {}, output: '', time: { start: 1, end: 2 } },
    },
  });
const idle = (sessionID: string) => emit('session.idle', { sessionID });

const valueOf = (span: Span | undefined, name: string) =>
  span?.attributes.find(({ key }) => key === name)?.value.stringValue;
const spansOf = (session: string) =>
  spans.filter((span) => valueOf(span, 'session.id') === session);

test('a session that ends leaves the prompt, the start and the sent messages of another one', async () => {
  await prompt('main', 1000);
  await prompt('sub', 2000);
  await answer('sub', 3000);
  await answer('main', 4000);
  await idle('sub');
  await answer('main', 4000);
  await tool('main');
  await idle('main');
  const [call, executed, root, ...more] = spansOf('main');
  expect(more).toEqual([]);
  expect([call?.name, executed?.name, root?.name]).toEqual(['chat', 'execute_tool bash', 'prompt']);
  expect(new Set(spansOf('main').map(({ traceId }) => traceId)).size).toBe(1);
  expect(root?.startTimeUnixNano).toBe('1000000000');
  expect(valueOf(root, 'input.value')).toBe('prompt of main');
  expect(valueOf(root, 'output.value')).toBe('answer of main');
  expect(spansOf('sub').map(({ name }) => name)).toEqual(['chat', 'prompt']);
});

test('the next prompt of a session may begin while the last one is sent', async () => {
  await prompt('main', 1000);
  await answer('main', 2000);
  const sent = idle('main');
  await prompt('main', 3000);
  await sent;
  await answer('main', 4000);
  await idle('main');
  const roots = spansOf('main').filter(({ name }) => name === 'prompt');
  expect(roots.map(({ startTimeUnixNano }) => startTimeUnixNano)).toEqual([
    '1000000000',
    '3000000000',
  ]);
  expect(valueOf(roots[1], 'input.value')).toBe('prompt of main');
});
