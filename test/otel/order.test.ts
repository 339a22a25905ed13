import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { newTraceId, requestOf, START, type TestSpan } from './spans.ts';
import { storedOf } from './stored.ts';

interface Drawn {
  parent: number;
  kind: 'plain' | 'chain' | 'agent' | 'chat' | 'embeddings' | 'tool' | 'retriever';
  text: boolean;
  tokens: number;
  from: number;
  took: number;
  session: 'a' | 'b' | undefined;
  user: 'a' | 'b' | undefined;
  agent: 'a' | 'b' | undefined;
  failed: boolean;
  judged: boolean;
  scope: string;
  /** Whether it has the provider's id of the response. */
  identified: boolean;
  remote: boolean;
  /** Whether the span was lost on the way. */
  lost: boolean;
}

const name = fc.constantFrom('a', 'b', undefined, undefined);
const drawn: fc.Arbitrary<Drawn> = fc.record({
  parent: fc.integer({ min: -1, max: 8 }),
  kind: fc.constantFrom(
    ...(['plain', 'chain', 'agent', 'tool', 'retriever', 'embeddings'] as const),
    ...(['chat', 'chat', 'chat', 'chat'] as const),
  ),
  text: fc.boolean(),
  tokens: fc.integer({ min: 1, max: 4 }),
  from: fc.integer({ min: 0, max: 50 }),
  took: fc.integer({ min: 0, max: 50 }),
  session: name,
  user: name,
  agent: name,
  failed: fc.boolean(),
  judged: fc.boolean(),
  scope: fc.constantFrom('sdk', 'framework', 'gateway'),
  identified: fc.constantFrom(false, false, true),
  remote: fc.boolean(),
  lost: fc.constantFrom(false, false, false, true),
});
const trace = fc.array(drawn, { minLength: 1, maxLength: 9 });

/** Sends the requests of a trace. */
type Send = (requests: readonly ReturnType<typeof requestOf>[]) => Promise<unknown>;

/** The index of the parent: an earlier span, or -1 for the first one. */
const parentOf = ({ parent }: Drawn, index: number): number =>
  index === 0 ? -1 : parent < 0 ? index - 1 : parent % index;

function spansOf(nodes: readonly Drawn[], label: string): TestSpan[] {
  return nodes.map((node, index) => {
    const own = parentOf(node, index);
    return {
      id: `s${index}`,
      ...(own >= 0 && { parent: `s${own}` }),
      from: node.from,
      to: node.from + node.took,
      scope: node.scope,
      flags: node.remote ? 0x300 : 0x100,
      ...(node.failed && { error: `failed ${index % 2}` }),
      attributes: {
        ...(node.session && { 'session.id': `${label}-${node.session}` }),
        ...(node.user && { 'user.id': `${label}-${node.user}` }),
        ...(node.agent && { 'gen_ai.agent.name': `${label}-${node.agent}` }),
        ...workOf(node, index),
        ...(node.identified && { 'gen_ai.response.id': `${label}-of-the-response-${index}` }),
      },
    };
  });
}

function workOf(
  { kind, text, tokens, judged }: Drawn,
  index: number,
): NonNullable<TestSpan['attributes']> {
  const evaluation: Record<string, string | number> = judged
    ? { 'gen_ai.evaluation.name': 'quality', 'gen_ai.evaluation.score.value': index / 8 }
    : {};
  switch (kind) {
    case 'plain':
      return { 'http.request.method': 'GET' };
    case 'chain':
      return { 'openinference.span.kind': 'CHAIN' };
    case 'retriever':
      return { 'gen_ai.operation.name': 'retrieval' };
    case 'agent':
      return { 'gen_ai.operation.name': 'invoke_agent', 'input.value': `in ${index}` };
    case 'tool':
      return { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 't', ...evaluation };
    case 'chat':
    case 'embeddings':
      return {
        'gen_ai.operation.name': kind,
        'gen_ai.request.model': kind === 'chat' ? 'gpt-4o' : 'own-model',
        'gen_ai.usage.input_tokens': tokens * 100,
        'gen_ai.usage.output_tokens': tokens,
        ...(text && {
          'gen_ai.prompt': `asked ${index}`,
          'gen_ai.completion': `told ${index}`,
          'gen_ai.response.finish_reasons': '["stop"]',
          'gen_ai.response.time_to_first_chunk': 0.5,
        }),
        ...evaluation,
      };
  }
}

const boundaries: readonly Drawn['kind'][] = ['agent', 'tool', 'retriever'];

/**
 * Returns the sent calls without a sent call below them, ignoring calls of nested tools and agents.
 */
function innermost(nodes: readonly Drawn[]): Drawn[] {
  const isCall = ({ kind, lost }: Drawn): boolean =>
    !lost && (kind === 'chat' || kind === 'embeddings');
  const around = new Set<number>();
  nodes.forEach((node, index) => {
    if (!isCall(node)) return;
    for (let at = parentOf(node, index); at >= 0; at = parentOf(nodes[at] as Drawn, at)) {
      const { lost, kind } = nodes[at] as Drawn;
      if (lost || boundaries.includes(kind)) return;
      around.add(at);
    }
  });
  return nodes.filter((node, index) => isCall(node) && !around.has(index));
}

describe.each(databases)('spans of a trace on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    service.setTime(START + 3_600_000);
  });
  afterAll(() => service.stop());

  const record = async (batches: readonly TestSpan[][], label: string, send: Send = oneByOne) => {
    const id = newTraceId();
    const of = { trace: id, resource: { 'service.name': label } };
    await send(batches.filter(({ length }) => length > 0).map((spans) => requestOf(spans, of)));
    const agents = [label, `${label}-a`, `${label}-b`];
    const stored = await storedOf(service, id, label, agents);
    return JSON.parse(JSON.stringify(stored).replaceAll(label, 'LABEL')) as typeof stored;
  };
  const oneByOne: Send = async (requests) => {
    for (const body of requests) await service.byKey.otel.exportTraces({ body });
  };
  const newLabel = (): string => `l${randomBytes(6).toString('hex')}`;

  test('result in the same run in any order, in pieces, and when repeated', async () => {
    const order = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(
        trace,
        order,
        fc.integer({ min: 1, max: 4 }),
        async (nodes, chance, size) => {
          const sent = (label: string): TestSpan[] =>
            spansOf(nodes, label).filter((_, index) => !nodes[index]?.lost);
          const [first, second] = [newLabel(), newLabel()];
          const once = await record([sent(first)], first);
          const messy = [...sent(second), ...sent(second)]
            .map((span) => ({ span, at: chance.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ span }) => span);
          const pieces = Array.from({ length: Math.ceil(messy.length / size) }, (_, i) =>
            messy.slice(i * size, (i + 1) * size),
          );
          expect(await record(pieces, second)).toEqual(once);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('result in the same run if all pieces arrive at the same time with two keys', async () => {
    const { key } = await service.byOwner.identity.createApiKey({
      body: { name: 'second exporter', permissions: ['record'] },
    });
    const other = service.by({ 'X-Svc-Key': key });
    const keyOf = (index: number) => (index % 2 === 0 ? service.byKey : other);
    const atOnce: Send = (requests) =>
      Promise.all(requests.map((body, index) => keyOf(index).otel.exportTraces({ body })));
    await fc.assert(
      fc.asyncProperty(trace, async (nodes) => {
        const sent = (label: string): TestSpan[] =>
          spansOf(nodes, label).filter((_, index) => !nodes[index]?.lost);
        const [first, second] = [newLabel(), newLabel()];
        const once = await record([sent(first)], first);
        const pieces = [...sent(second), ...sent(second)].map((span) => [span]);
        expect(await record(pieces, second, atOnce)).toEqual(once);
      }),
      { numRuns: 40 },
    );
  });

  test('count every innermost call once, in any nesting', async () => {
    await fc.assert(
      fc.asyncProperty(trace, async (drawnNodes) => {
        const nodes = drawnNodes.map((node) => ({ ...node, scope: 'sdk' }));
        const label = newLabel();
        const spans = spansOf(nodes, label).filter((_, index) => !nodes[index]?.lost);
        const stored = (await record(
          [...spans].reverse().map((span) => [span]),
          label,
        )) as {
          run?: { llm_call_count: number; tokens: number };
          models: { aggregates: { total_calls: number; total_tokens: number } }[];
        };
        const calls = innermost(nodes);
        const tokens = calls.reduce((sum, call) => sum + call.tokens * 101, 0);
        const hasWork = nodes.some(({ kind: what, lost }) => what !== 'plain' && !lost);
        expect(stored.run && [stored.run.llm_call_count, stored.run.tokens]).toEqual(
          hasWork ? [calls.length, tokens] : undefined,
        );
        const sum = (field: 'total_calls' | 'total_tokens') =>
          stored.models.reduce((total, { aggregates }) => total + aggregates[field], 0);
        expect([sum('total_calls'), sum('total_tokens')]).toEqual([calls.length, tokens]);
      }),
      { numRuns: 40 },
    );
  });
});
