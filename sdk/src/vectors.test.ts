import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { policyRequest } from './policy-request.ts';
import { fallbackOf, type PromptContent } from './prompt.ts';
import { failedCallSpan } from './recording/spans.ts';
import type { FailedCall, LlmCall, Score, Span } from './recording/types.ts';
import { readTraceparent } from './trace-context.ts';
import { wireCall, wireEvent, wireScore, wireSpan, wireStart, wireStep } from './recording/wire.ts';
import { messageReader } from './wrap/anthropic.ts';
import { chatCompletionReader, embeddingReader, responseReader } from './wrap/openai-readers.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../vectors', name), 'utf8'));

interface Case {
  name: string;
  kind: keyof typeof forms;
  captureContent?: boolean;
  given: Record<string, unknown>;
  wire: object;
}
const { now, cases } = read('wire.json') as { now: number; cases: Case[] };

const forms = {
  call: (given: unknown, capture = false) => wireCall(given as LlmCall, now, capture),
  failedCall: (given: unknown, capture = false) => {
    const { error, ...call } = given as FailedCall & { error: string | Partial<Error> };
    const thrown = typeof error === 'string' ? error : Object.assign(new Error(), error);
    return wireSpan(failedCallSpan(call, thrown, capture));
  },
  span: (given: unknown) => wireSpan(given as Span),
  score: (given: unknown) => wireScore(given as Score),
  step: (given: unknown) => {
    const { name, output } = given as { name: string; output: unknown };
    return wireStep(name, output);
  },
  event: (given: unknown) => wireEvent(given as Record<string, unknown>, now),
  traceparent: (given: unknown) => {
    const read = readTraceparent((given as { header: string }).header);
    return { trace_id: read?.traceId, parent_span_id: read?.parentSpanId };
  },
  start: (given: unknown) => wireStart(given as Record<string, unknown>, now),
  question: (given: unknown) => policyRequest(given as { agentName: string }),
};

test.each(cases)('wire: $name', ({ kind, captureContent, given, wire }) => {
  const sent: unknown = JSON.parse(JSON.stringify(forms[kind](given, captureContent)));
  expect(sent).toEqual(wire);
});

interface ResponseCase {
  name: string;
  format: keyof typeof readers;
  body: object;
  response?: object;
  events?: object[];
  wire: object;
}
const responses = read('responses.json') as {
  common: { duration_ms: number };
  cases: ResponseCase[];
};

const readers = {
  chat: chatCompletionReader,
  responses: responseReader,
  embeddings: embeddingReader,
  messages: messageReader,
};

test.each(responses.cases)('response: $name', ({ format, body, response, events = [], wire }) => {
  const reader = readers[format](body);
  if (response) reader.read(response);
  for (const event of events) reader.add(event);
  const call = { ...reader.call(), durationMs: responses.common.duration_ms };
  const sent: unknown = JSON.parse(JSON.stringify(wireCall(call, now, true)));
  expect(sent).toEqual({ ...responses.common, ...wire });
});

interface PromptCase {
  content: PromptContent;
  variables: Record<string, unknown>;
  compiled: PromptContent;
  missing: string[];
}

test.each(read('prompts.json') as PromptCase[])('prompt: $content', (one) => {
  const prompt = fallbackOf('p', one.content);
  expect(prompt.compile(one.variables)).toEqual(one.compiled);
  expect(prompt.missingVariables(one.variables)).toEqual(one.missing);
});
