import { afterAll, beforeAll } from 'vitest';
import { EMBEDDING_DIMENSIONS } from '#contract/memory-slot.ts';
import type { RouteRequest } from '#contract/route.ts';
import type { contract } from '#contract/index.ts';
import type { databases } from './databases.ts';
import { startTwoTenants, type TwoTenants } from './two-tenants.ts';

export type Episodic = RouteRequest<typeof contract.memory.writeEpisodic>['body'];
export type Semantic = RouteRequest<typeof contract.memory.writeSemantic>['body'];

/** A vector along one axis, with a small component along the next one. */
export const embedding = (axis: number, lean = 0): number[] => {
  const vector = Array.from({ length: EMBEDDING_DIMENSIONS }, () => 0);
  vector[axis] = 1 - lean;
  vector[axis + 1] = lean;
  return vector;
};

/** Sets up two tenants, each with a run and scopes of its own. */
export function setUpMemory(kind: (typeof databases)[number]) {
  let service: TwoTenants;
  let run_id: string;
  let scopes = 0;

  beforeAll(async () => {
    service = await startTwoTenants(kind);
    ({ run_id } = await service.one.byKey.recording.startRun({ body: { agent_name: 'a' } }));
  });
  afterAll(() => service.stop());

  const newScope = (): string => `agent:${(scopes += 1)}`;
  const write = (body: Episodic, run = run_id) =>
    service.one.byKey.memory.writeEpisodic({ params: { run_id: run }, body });
  const writeFact = (body: Omit<Semantic, 'content_embedding'> & Partial<Semantic>, run = run_id) =>
    service.one.byKey.memory.writeSemantic({
      params: { run_id: run },
      body: { content_embedding: embedding(0), ...body },
    });
  const read = async (scope_key: string) =>
    (await service.one.byKey.memory.readMemory({ query: { scope_key } })).results;
  const dataOf = async (scope_key: string): Promise<unknown[]> =>
    (await read(scope_key)).map(({ data }) => data);
  const get = (id: string, skip = 0) =>
    service.one.byOwner.memory.getMemory({ params: { id }, query: { skip } });
  const rowsOf = async (table: 'memory_slots' | 'memory_items') =>
    (await service.storage.db.selectFrom(table).select('tenant_id').execute()).length;

  const slot = { slot_name: 's', scope_key: 'limits' };
  const fact = { ...slot, content: 'x', content_embedding: embedding(0) };

  return {
    get service() {
      return service;
    },
    get run_id() {
      return run_id;
    },
    newScope,
    write,
    writeFact,
    read,
    dataOf,
    get,
    rowsOf,
    slot,
    fact,
  };
}
