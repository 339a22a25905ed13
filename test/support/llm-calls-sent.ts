import { afterAll, beforeAll } from 'vitest';
import type { databases } from './databases.ts';
import { pollUntil } from './processes.ts';
import { startTwoTenants, type TwoTenants } from './two-tenants.ts';

export interface SentCall {
  agent: string;
  model: string;
  tokens: number;
  cost: number;
  /** In milliseconds; null if unknown. */
  duration: number | null;
  text: string;
  at: number;
}

/** Sets up two tenants, and records calls at given times. */
export function setUpLlmCalls(kind: (typeof databases)[number]) {
  let service: TwoTenants;
  beforeAll(async () => {
    service = await startTwoTenants(kind);
  });
  afterAll(() => service.stop());

  const list = (query: object) => service.one.byOwner.llmCalls.listLlmCalls({ query });
  async function record(calls: readonly SentCall[]): Promise<number[]> {
    const ids: number[] = [];
    for (const call of calls) {
      service.setTime(call.at);
      const { recording } = service.one.byKey;
      const { run_id } = await recording.startRun({ body: { agent_name: call.agent } });
      const { model, cost, text, tokens: tokens_out } = call;
      const timed = call.duration === null ? {} : { duration_ms: call.duration };
      const sent = { model, cost, tokens_in: 0, tokens_out, prompt_preview: text, ...timed };
      await recording.recordLlmCalls({ params: { run_id }, body: { calls: [sent] } });
      ids.push(await idOfCall(run_id));
    }
    service.setTime(undefined);
    // A search does not wait for its index for longer than two seconds.
    await pollUntil(
      () => list({ search: 'anything' }),
      ({ incomplete }) => !incomplete,
    );
    return ids;
  }
  async function idOfCall(runId: string): Promise<number> {
    const { id } = await service.storage.db
      .selectFrom('llm_calls')
      .select('id')
      .where('run_id', '=', Number(runId))
      .executeTakeFirstOrThrow();
    return id;
  }

  return {
    get service() {
      return service;
    },
    list,
    record,
    idOfCall,
  };
}
