import { afterAll, beforeAll } from 'vitest';
import type { databases } from './databases.ts';
import { startTwoTenants, type TwoTenants } from './two-tenants.ts';

export interface SentCall {
  agent: string;
  model: string;
  tokens: number;
  cost: number;
  text: string;
  at: number;
}

export type Stored = SentCall & { id: number };

/** Two tenants, and calls recorded at times that a test sets. */
export function setUpLlmCalls(kind: (typeof databases)[number]) {
  let service: TwoTenants;
  const stored: Stored[] = [];
  beforeAll(async () => {
    service = await startTwoTenants(kind);
  });
  afterAll(() => service.stop());

  const list = (query: object) => service.one.byOwner.llmCalls.listLlmCalls({ query });
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
    stored,
    list,
    idOfCall,
  };
}
