import { expect, test } from 'vitest';
import type { Attributes } from './attributes.ts';
import { interpret, type SpanMeaning } from './span-meaning.ts';

const of = (name: string, meanings: Partial<Record<SpanMeaning, string>>) =>
  Object.entries(meanings).flatMap(([meaning, values]) =>
    values.split(' ').map((value) => [name, value, meaning] as const),
  );

test.each([
  ...of('gen_ai.operation.name', {
    inference: 'chat generate_content text_completion',
    embedding: 'embeddings',
    retriever: 'retrieval search_memory',
    tool: `execute_tool create_memory update_memory upsert_memory delete_memory create_memory_store delete_memory_store`,
    agent: 'invoke_agent invoke_workflow plan',
    step: 'something_new',
    decision: 'run_guardrail',
  }),
  ...of('openinference.span.kind', {
    inference: 'LLM',
    embedding: 'EMBEDDING',
    retriever: 'RETRIEVER RERANKER',
    tool: 'TOOL',
    decision: 'GUARDRAIL DECISION',
    evaluator: 'EVALUATOR',
    agent: 'AGENT',
    step: 'CHAIN PROMPT',
  }),
  ...of('traceloop.span.kind', { tool: 'tool', agent: 'workflow agent', step: 'task' }),
  ...of('llm.request.type', { inference: 'chat completion', embedding: 'embedding' }),
  ...of('ai.operationId', {
    inference: `ai.generateText ai.generateText.doGenerate ai.streamText.doStream ai.generateObject`,
    embedding: 'ai.embed ai.embedMany.doEmbed',
    tool: 'ai.toolCall',
  }),
  ...of('mlflow.spanType', { inference: '"CHAT_MODEL" LLM', tool: '"TOOL"', step: 'UNKNOWN' }),
  ...of('mcp.method.name', { tool: 'tools/call', retriever: 'resources/read' }),
])('a span with %s = %s is %s', (name, value, meaning) => {
  expect(interpret({ [name]: value })).toBe(meaning);
});

test.each<[string, Attributes, SpanMeaning | undefined]>([
  ['nothing', {}, undefined],
  ['HTTP', { 'http.request.method': 'GET', 'server.address': 'x' }, undefined],
  [
    'the creation of an agent',
    {
      'gen_ai.operation.name': 'create_agent',
      'gen_ai.agent.name': 'a',
      'gen_ai.request.model': 'm',
      'gen_ai.provider.name': 'openai',
    },
    undefined,
  ],
  ['a database', { 'db.system': 'postgresql' }, undefined],
  [
    'names that every span below an agent inherits',
    { 'session.id': 's', 'gen_ai.agent.name': 'a', 'gen_ai.conversation.id': 'c' },
    undefined,
  ],
  ['OpenLLMetry’s name of the workflow alone', { 'traceloop.workflow.name': 'w' }, undefined],
  ['a model of a provider', { 'gen_ai.request.model': 'm', 'gen_ai.system': 'x' }, 'inference'],
  ['tokens', { 'gen_ai.usage.output_tokens': 5 }, 'inference'],
  ['a tool', { 'gen_ai.tool.name': 't' }, 'tool'],
  ['documents', { 'retrieval.documents.0.document.id': 'd' }, 'retriever'],
  ['a guardrail', { 'gen_ai.guardrail.verdict.type': 'deny' }, 'decision'],
  ['an evaluation', { 'gen_ai.evaluation.name': 'q' }, 'evaluator'],
  ['an input', { 'traceloop.entity.input': 'x' }, 'step'],
  [
    'an unknown value beside a known one',
    { 'gen_ai.operation.name': 'new', 'openinference.span.kind': 'TOOL' },
    'tool',
  ],
])('a span with %s', (_name, attributes, meaning) => {
  expect(interpret(attributes)).toBe(meaning);
});
