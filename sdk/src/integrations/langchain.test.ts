import { FakeListChatModel } from '@langchain/core/utils/testing';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { BaseRetriever } from '@langchain/core/retrievers';
import { RunnableLambda, RunnableSequence } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import {
  type LocalServer,
  observerOf,
  startLocalServer,
  type TestObserver,
} from '#test/sdk/local-server.ts';
import { MODEL_KEY, type ModelProvider, startModelProvider } from '#test/support/model-provider.ts';
import { langChainHandler } from './langchain.ts';

let server: LocalServer;
let provider: ModelProvider;
let observed: TestObserver;
beforeEach(async () => {
  [server, provider] = [await startLocalServer(), await startModelProvider()];
  observed = observerOf(server, { captureContent: true });
});
afterEach(async () => {
  await observed.observer.shutdown();
  await Promise.all([server.goAway(), provider.stop()]);
});

const handler = (options = {}) => langChainHandler({ observer: observed.observer, ...options });
const chatModel = (model: string): ChatOpenAI =>
  new ChatOpenAI({
    model,
    apiKey: MODEL_KEY,
    maxRetries: 0,
    configuration: { baseURL: `${provider.url}/v1` },
  });

type Sent = Record<string, unknown>;

/** The arrived records of one type. The starts and ends of runs are selected by their path. */
async function arrived(kind: 'calls' | 'spans' | 'start/' | 'complete/'): Promise<Sent[]> {
  await observed.observer.flush();
  if (kind.endsWith('/'))
    return server.accepted.filter(({ path }) => path.endsWith(kind)).map(({ body }) => body);
  return server.accepted.flatMap(({ body }) => (body[kind] ?? []) as Sent[]);
}

test('the outermost chain becomes a run, and a model in it becomes an LLM call', async () => {
  const prompt = ChatPromptTemplate.fromMessages([['human', '{topic}']]);
  const chain = prompt.pipe(chatModel('gpt-4o')).withConfig({ runName: 'writer' });
  const callbacks = [handler({ sessionId: 's1' })];
  const { content } = await chain.invoke({ topic: 'one two' }, { callbacks });
  expect(content).toBe('gpt-4o heard: one two');
  expect(await arrived('start/')).toMatchObject([
    { agent_name: 'writer', session_id: 's1', inputs: { input: { topic: 'one two' } } },
  ]);
  expect(await arrived('calls')).toMatchObject([
    {
      model: 'gpt-4o',
      provider: 'openai',
      response_id: 'chatcmpl-1',
      tokens_in: 2,
      finish_reason: 'stop',
      prompt_preview: '[{"role":"human","content":"one two"}]',
      response_preview: 'gpt-4o heard: one two',
    },
  ]);
  expect(await arrived('complete/')).toMatchObject([{ status: 'success' }]);
});

test('inside a run, all records belong to it and are children of its span', async () => {
  const { startRun } = observed.observer;
  const run = startRun({ agentName: 'mine' });
  const model = new FakeListChatModel({ responses: ['ho'] });
  await run.within(() => run.span('plan', () => model.invoke('hi', { callbacks: [handler()] })));
  run.complete();
  expect(await arrived('start/')).toMatchObject([{ agent_name: 'mine' }]);
  const [plan] = await arrived('spans');
  expect(await arrived('calls')).toMatchObject([{ parent_span_id: plan?.span_id }]);
});

test('tools and retrievers are spans, and calls within a tool are its children', async () => {
  class Library extends BaseRetriever {
    lc_namespace = ['library'];
    override _getRelevantDocuments = async () =>
      Promise.resolve([{ pageContent: 'a page', metadata: {} }]);
  }
  const lookUp = tool(
    async ({ q }: { q: string }, config) => {
      const [found] = await new Library().invoke(q, config);
      return found?.pageContent;
    },
    { name: 'look_up', description: 'd', schema: z.object({ q: z.string() }) },
  );
  await RunnableSequence.from([new RunnableLambda({ func: () => ({ q: 'Rome' }) }), lookUp]).invoke(
    {},
    { callbacks: [handler()] },
  );
  const [retrieval, look] = await arrived('spans');
  expect(look).toMatchObject({
    name: 'look_up',
    kind: 'tool',
    input_data: { q: 'Rome' },
    output_data: { value: 'a page' },
  });
  expect(retrieval).toMatchObject({
    kind: 'retriever',
    parent_span_id: look?.span_id,
    attributes: { query: 'Rome', documents: ['a page'] },
  });
});

test('a model that fails is a failed call, and its chain a failed run', async () => {
  const chain = RunnableSequence.from([(text: string) => text, chatModel('limited')]);
  await expect(chain.invoke('hi', { callbacks: [handler()] })).rejects.toThrow('Rate limit');
  expect(await arrived('calls')).toEqual([]);
  expect(await arrived('spans')).toMatchObject([{ name: 'call limited', status: 'error' }]);
  expect(await arrived('complete/')).toMatchObject([
    { status: 'error', error: expect.stringContaining('Rate limit') },
  ]);
});

test('the preview of a failed call of a text model is the text of its prompts', async () => {
  const { handleLLMStart, handleLLMError } = handler();
  handleLLMStart({ name: 'own' }, ['one', 'two'], 'call-1');
  handleLLMError(new Error('no response'), 'call-1');
  expect(await arrived('spans')).toMatchObject([
    { name: 'call own', status: 'error', input_data: { prompt_preview: 'one\ntwo' } },
  ]);
});

test('without content capture, only names, times and tokens are sent', async () => {
  observed = observerOf(server, { captureContent: false });
  const secret = 'hunter2';
  const echo = tool(({ q }: { q: string }) => q, {
    name: 'echo',
    description: 'd',
    schema: z.object({ q: z.string() }),
  });
  await RunnableSequence.from([chatModel('gpt-4o'), () => ({ q: secret }), echo]).invoke(secret, {
    callbacks: [handler()],
  });
  expect(await arrived('calls')).toHaveLength(1);
  expect(await arrived('spans')).toHaveLength(1);
  expect(JSON.stringify(server.requests)).not.toContain(secret);
});
