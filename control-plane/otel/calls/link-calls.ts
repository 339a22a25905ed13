import type { NewCall, Recording } from '../../recording/queries.ts';
import { setCallIds } from './call-queries.ts';
import type { RevisedCalls } from './revise-calls.ts';
import type { ChangedCall } from './score-calls.ts';

/** Links the calls that were stored, by their ids, to their spans; returns the changes. */
export async function linkCalls(
  recording: Recording,
  tenantId: string,
  { calls, demoted }: RevisedCalls,
  stored: ReadonlyMap<NewCall, number>,
): Promise<ChangedCall[]> {
  const changes = demoted.map((node) => ({ node, call_id: 0, model: '' }));
  for (const { node, call } of calls) {
    const call_id = stored.get(call);
    if (call_id !== undefined) changes.push({ node, call_id, model: call.model });
  }
  await setCallIds(recording, tenantId, changes);
  return changes;
}
