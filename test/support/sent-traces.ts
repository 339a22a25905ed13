import { afterAll, beforeAll } from 'vitest';
import type { databases } from './databases.ts';
import { startTwoTenants, type TwoTenants } from './two-tenants.ts';
import { newTraceId, requestOf, START, type TestSpan } from '../otel/spans.ts';
import { runOfTrace } from '../otel/stored.ts';

const MINUTE_MS = 60_000;

export const chat = (span: Partial<TestSpan> & { id: string }): TestSpan => ({
  ...span,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 1000,
    'gen_ai.usage.output_tokens': 500,
    ...span.attributes,
  },
});
export const agent = (span: Partial<TestSpan> & { id: string }): TestSpan => ({
  ...span,
  attributes: { 'gen_ai.operation.name': 'invoke_agent', ...span.attributes },
});

/** Sets up services that send spans. */
export function setUpTraces(kind: (typeof databases)[number]) {
  let service: TwoTenants;
  let time = START + MINUTE_MS;
  const advanceClock = (ms: number): void => service.setTime((time += ms));
  beforeAll(async () => {
    service = await startTwoTenants(kind);
    advanceClock(0);
  });
  afterAll(() => service.stop());

  let services = 0;
  /** Creates a trace of a new service. */
  const newTrace = (tenant: 'one' | 'other' = 'one', trace = newTraceId()) => {
    const name = `svc-${(services += 1)}`;
    const { byKey, byOwner } = service[tenant];
    return {
      name,
      send: (...spans: TestSpan[]) =>
        byKey.otel.exportTraces({
          body: requestOf(spans, { trace, resource: { 'service.name': name } }),
        }),
      run: async (agentName = name) => {
        const run = await runOfTrace({ byOwner }, trace, [agentName]);
        return run as NonNullable<typeof run>;
      },
    };
  };
  const spanOf = (run: { id: number }, { id }: { id: number }) =>
    service.one.byOwner.runs.getSpan({ params: { id: String(run.id), span_id: String(id) } });

  return {
    get service() {
      return service;
    },
    newTrace,
    spanOf,
  };
}
