import { sql } from 'kysely';
import type { NewSpan } from '../recording/queries.ts';
import type { Tx } from '../storage/transaction.ts';
import type { RunRef } from '../usage/count.ts';

/** Completes a tool's span: the longer input and output are kept, and so is a failure. */
export async function fillToolSpan(
  tx: Tx,
  run: RunRef,
  position: number,
  report: Pick<NewSpan, 'input_data' | 'output_data' | 'status'>,
): Promise<void> {
  await tx.db
    .updateTable('spans')
    .set({
      input_data: longer('input_data', report.input_data),
      output_data: longer('output_data', report.output_data),
      ...(report.status === 'error' && { status: 'error' as const }),
    })
    .where('tenant_id', '=', run.tenant_id)
    .where('run_id', '=', run.id)
    .where('position', '=', position)
    .where('kind', '=', 'tool')
    .execute();
}

const longer = (column: 'input_data' | 'output_data', report: string | null | undefined) => {
  const stored = sql.ref<string | null>(column);
  const text = report ?? '';
  return sql<
    string | null
  >`case when coalesce(length(${stored}), 0) >= ${text.length} then ${stored} else ${text} end`;
};
