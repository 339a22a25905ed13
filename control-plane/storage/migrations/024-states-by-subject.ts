import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Tables } from '../tables.ts';

/** What all policies remember of a subject is one row: read, and written, with every check. */
export const statesBySubject: Migration = {
  async up(db: Kysely<Tables>) {
    await db.schema.alterTable('policy_states').renameTo('policy_states_one_by_one').execute();
    // Not in the order of its key: SQLite would put what is over a kilobyte on a page of its own.
    await db.schema
      .createTable('policy_states')
      .addColumn('tenant_id', 'text', (to) => to.notNull())
      .addColumn('subject', 'text', (to) => to.notNull())
      .addColumn('updated_at', 'bigint', (to) => to.notNull())
      .addColumn('states', 'text', (to) => to.notNull())
      .addPrimaryKeyConstraint('policy_states_of_subject', ['tenant_id', 'subject'])
      .execute();
    const old = db as unknown as Kysely<Before>;
    for await (const subjects of gathered(old))
      await db.insertInto('policy_states').values(subjects).execute();
    await db.schema.dropTable('policy_states_one_by_one').execute();
  },
};

interface Row {
  tenant_id: string;
  subject: string;
  policy_id: string;
  state: string;
  updated_at: number;
}

interface Before {
  policy_states_one_by_one: Row;
}

const AT_ONCE = 1000;

/** Subject after subject, some at once. */
async function* gathered(old: Kysely<Before>): AsyncGenerator<Tables['policy_states'][]> {
  let open: Row[] = [];
  for (let after: Row | undefined, isLast = false; !isLast;) {
    const rows = await rowsAfter(old, after);
    isLast = rows.length < AT_ONCE;
    after = rows.at(-1);
    const bySubject = Map.groupBy([...open, ...rows], (row) => `${row.tenant_id} ${row.subject}`);
    const whole = [...bySubject.values()];
    // The last may go on in the rows that follow.
    open = isLast ? [] : (whole.pop() ?? []);
    if (whole.length > 0) yield whole.map(asOne);
  }
}

function rowsAfter(old: Kysely<Before>, after: Row | undefined): Promise<Row[]> {
  const all = old
    .selectFrom('policy_states_one_by_one')
    .selectAll()
    .orderBy('tenant_id')
    .orderBy('subject')
    .orderBy('policy_id')
    .limit(AT_ONCE);
  if (!after) return all.execute();
  return all
    .where((eb) =>
      eb(
        eb.refTuple('tenant_id', 'subject', 'policy_id'),
        '>',
        eb.tuple(after.tenant_id, after.subject, after.policy_id),
      ),
    )
    .execute();
}

/** Times of rate limits are now kept by how much each is later than the one before it. */
function packed(state: unknown): unknown {
  if (typeof state !== 'object' || state === null || !('slots' in state)) return state;
  const { slots, recent, ...rest } = state as Record<string, number[]>;
  const pack = (times: number[] = []) => times.map((at, i) => at - (times[i - 1] ?? 0));
  return { ...rest, taken: pack(slots), admitted: pack(recent) };
}

function asOne(rows: readonly Row[]): Tables['policy_states'] {
  const { tenant_id, subject } = rows[0] as Row;
  const states = rows.map(({ policy_id, state }) => [policy_id, packed(JSON.parse(state))]);
  return {
    tenant_id,
    subject,
    states: JSON.stringify(Object.fromEntries(states)),
    updated_at: Math.max(...rows.map(({ updated_at }) => updated_at)),
  };
}
