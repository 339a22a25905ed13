import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { agent, chat, setUpTraces } from '../support/sent-traces.ts';
import type { TestSpan } from './spans.ts';

const texts = { 'gen_ai.prompt': 'Hi', 'gen_ai.completion': 'Yo' };
const RESPONSE_ID = 'gen_ai.response.id';

/** Makes the id of a response unique, because a response that another trace reported is ignored. */
const withOwnId = (span: TestSpan, name: string): TestSpan => {
  const id = span.attributes?.[RESPONSE_ID];
  if (typeof id !== 'string') return span;
  return {
    ...span,
    attributes: { ...span.attributes, [RESPONSE_ID]: `chatcmpl-${id}-of-${name}` },
  };
};

/** A report of a framework, which by default contains that of the provider's client. */
const outer = (span: Partial<TestSpan> = {}): TestSpan =>
  chat({ id: 'outer', parent: 'root', scope: 'framework', from: 100, to: 900, ...span });
const inner = (span: Partial<TestSpan> = {}): TestSpan =>
  chat({ id: 'inner', parent: 'root', scope: 'client', from: 150, to: 850, ...span });

describe.each(databases)('reports of calls on %s', (kind) => {
  const { newTrace } = setUpTraces(kind);
  const root = agent({ id: 'root' });

  /** Sends two reports in each way that they may arrive, and returns the runs. */
  async function inAllOrders(a: TestSpan, b: TestSpan) {
    const orders = [
      [[root, a, b]],
      [[root, b, a]],
      [[root], [a], [b]],
      [[b], [a], [root]],
      [[a, root], [b]],
      [
        [b, root],
        [a, b],
      ],
    ];
    const runs = [];
    for (const order of orders) {
      const { send, run, name } = newTrace();
      for (const spans of order) await send(...spans.map((span) => withOwnId(span, name)));
      runs.push(await run());
    }
    return runs;
  }

  test.each<[string, Partial<TestSpan>, Partial<TestSpan>]>([
    ['one in the interval of the other', {}, {}],
    ['the same interval', {}, { from: 100, to: 900 }],
    ['the same end', {}, { to: 900 }],
    ['the id of the response in one', {}, { attributes: { [RESPONSE_ID]: 'first-call' } }],
    ['the same error', { error: 'refused' }, { error: 'refused' }],
    ['the call of the framework as the parent', {}, { parent: 'outer' }],
  ])('two instrumentations report one call: %s', async (_name, ofOuter, ofInner) => {
    for (const run of await inAllOrders(outer(ofOuter), inner(ofInner)))
      expect([run.llm_call_count, run.tokens, run.llm_calls.length]).toEqual([1, 1500, 1]);
  });

  test.each<[string, Partial<TestSpan>, Partial<TestSpan>]>([
    ['one instrumentation', {}, { scope: 'framework' }],
    ['one after the other', {}, { from: 901, to: 950 }],
    ['intervals that overlap', {}, { to: 950 }],
    ['another model', {}, { attributes: { 'gen_ai.request.model': 'gpt-4o-mini' } }],
    ['other tokens in', {}, { attributes: { 'gen_ai.usage.input_tokens': 1001 } }],
    ['other tokens out', {}, { attributes: { 'gen_ai.usage.output_tokens': 501 } }],
    ['another error', { error: 'refused' }, { error: 'failed' }],
    ['an error in one', { error: 'refused' }, {}],
    ['another parent', {}, { parent: 'other' }],
    ['no parent', { parent: '' }, { parent: '' }],
    [
      'other ids of responses',
      { attributes: { [RESPONSE_ID]: 'first-call' } },
      { attributes: { [RESPONSE_ID]: 'second-call' } },
    ],
  ])('two calls stay two: %s', async (_name, ofOuter, ofInner) => {
    for (const run of await inAllOrders(outer(ofOuter), inner(ofInner)))
      expect(run.llm_calls).toHaveLength(2);
  });

  test('the call has what either report has, and the other report is a span', async () => {
    const facts = {
      'gen_ai.usage.cache_read.input_tokens': 400,
      'gen_ai.usage.cost': 0.5,
      'gen_ai.response.finish_reasons': '["stop"]',
    };
    for (const [ofOuter, ofInner] of [
      [texts, facts],
      [facts, texts],
    ])
      for (const run of await inAllOrders(
        outer({ attributes: ofOuter }),
        inner({ attributes: ofInner }),
      )) {
        expect(run.llm_calls).toMatchObject([
          {
            prompt_preview: 'Hi',
            response_preview: 'Yo',
            cache_read_tokens: 400,
            cost: 0.5,
            cost_source: 'given',
            finish_reason: 'stop',
            duration_ms: 700,
          },
        ]);
        expect(run.cost).toBe(0.5);
        expect(run.spans.map(({ name }) => name).toSorted()).toEqual(['chat gpt-4o', 'root']);
      }
  });

  test('a report counts only once if another call is nested in the other report', async () => {
    const nested = chat({ id: 'nested', parent: 'outer', scope: 'http', from: 200, to: 800 });
    const spans = [root, outer(), inner({ attributes: texts }), nested];
    for (const order of [spans, spans.toReversed(), [spans[2], spans[3], spans[1], spans[0]]]) {
      const { send, run } = newTrace();
      for (const span of order) await send(span as TestSpan);
      expect((await run()).llm_calls).toMatchObject([
        { duration_ms: 600, prompt_preview: 'Hi', response_preview: 'Yo' },
      ]);
    }
  });

  const scopes = ['client', 'framework', 'gateway'] as const;
  const drawn = fc.record({
    calls: fc.array(
      fc.record({ from: fc.nat({ max: 60 }), took: fc.integer({ min: 10, max: 60 }) }),
      { minLength: 1, maxLength: 4 },
    ),
    reporters: fc.subarray([...scopes], { minLength: 1 }),
    withTexts: fc.subarray([...scopes]),
    order: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
    size: fc.integer({ min: 1, max: 5 }),
    alone: fc.constantFrom(...scopes),
  });

  test('parallel calls with equal tokens count once each, in any order and in pieces', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async ({ calls, reporters, withTexts, order, size, alone }) => {
        const reports = calls.flatMap(({ from, took }, index) =>
          reporters.map((scope, depth) =>
            chat({
              id: `${scope.slice(0, 1)}${index}`,
              parent: 'root',
              scope,
              from: from + depth,
              to: from + took - depth,
              attributes: withTexts.includes(scope) ? texts : {},
            }),
          ),
        );
        const after = chat({ id: 'after', parent: 'root', scope: alone, from: 500, to: 600 });
        const { send, run } = newTrace();
        const sorted = [...reports, ...reports, after, root]
          .map((span) => ({ span, at: order.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ span }) => span);
        for (let at = 0; at < sorted.length; at += size) await send(...sorted.slice(at, at + size));
        const stored = await run();
        const count = calls.length + 1;
        expect([stored.llm_call_count, stored.tokens]).toEqual([count, count * 1500]);
        const isTold = reporters.some((scope) => withTexts.includes(scope));
        expect(stored.llm_calls.filter((call) => call.prompt_preview === 'Hi')).toHaveLength(
          isTold ? calls.length : 0,
        );
      }),
      { numRuns: 40 },
    );
  });
});
