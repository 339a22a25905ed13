import { newTraceId, requestOf, START, type TestSpan } from '../otel/spans.ts';
import type { TestControlPlane } from './control-plane.ts';
import { chat } from './sent-traces.ts';

/**
 * Sends a trace with names that no rule reads, and a span that is rejected. `name` and `text` test
 * the limits of the layout.
 */
export async function sendUnmappedNames(
  { byKey }: Pick<TestControlPlane, 'byKey'>,
  { name, text }: { name: string; text: string },
): Promise<void> {
  const from = Date.now() - START - 60_000;
  const call: TestSpan = chat({
    id: 'call',
    from,
    to: from + 1000,
    attributes: {
      'gen_ai.operation.name': 'dream',
      'acme.usage.cached_tokens': 1200,
      'acme.answer.parts': ['warm', 'dry'],
      [name]: text,
    },
    events: [{ name: 'gen_ai.dreamt', attributes: { depth: 2, [name]: text } }],
  });
  const scope = { name, version: '1.0.0' };
  const trace = newTraceId();
  await byKey.otel.exportTraces({ body: requestOf([call], { trace, scope }) });
  await byKey.otel.exportTraces({
    body: requestOf([{ id: 'old', from: -1e12 }], { trace, scope }),
  });
}
