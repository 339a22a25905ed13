import type { Client } from '#contract/client.ts';
import type { contract } from '#contract/index.ts';

const BATCH = 1000;
/** In each group, the span at this position is the parent of the others. */
const GROUP = 100;

/**
 * Records a run with this number of spans in sequential groups of a hundred, twenty milliseconds
 * each. The last span of every tenth group has failed, and the second of every group has no times.
 * Returns the run.
 */
export async function recordManySpans(
  { recording }: Pick<Client<typeof contract>, 'recording'>,
  count: number,
  now: number,
): Promise<string> {
  const start = now - count * 20 - 60_000;
  const at = (ms: number): string => new Date(start + ms).toISOString();
  const { run_id } = await recording.startRun({
    body: { agent_name: 'bulk', started_at: at(0) },
  });
  const params = { run_id };
  for (let from = 0; from < count; from += BATCH) {
    const spans = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) =>
      spanOf(from + i, at),
    );
    await recording.recordSpans({ params, body: { spans } });
  }
  await recording.completeRun({ params, body: { completed_at: at(count * 20) } });
  return run_id;
}

function spanOf(index: number, at: (ms: number) => string) {
  const place = index % GROUP;
  const group = index - place;
  const isParent = place === 0;
  const isFailed = place === GROUP - 1 && (group / GROUP) % 10 === 0;
  return {
    name: isParent ? `group ${group / GROUP}` : `span ${index}`,
    kind: isParent ? ('reasoning' as const) : ('tool' as const),
    position: index,
    span_id: `s${index}`,
    parent_span_id: isParent ? null : `s${group}`,
    status: isFailed ? ('error' as const) : ('ok' as const),
    ...(place !== 1 && { started_at: at(index * 20), duration_ms: isParent ? GROUP * 20 : 20 }),
    input_data: { query: `What is number ${index}?` },
  };
}
