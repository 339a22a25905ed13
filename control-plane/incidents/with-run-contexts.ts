import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import { obeyedOf } from './group-rules.ts';
import { listRunContexts } from './run-context-queries.ts';
import { blocksNotInForce } from '../guard/blocks-not-in-force.ts';

/** The categories whose verdicts during a run are about tools. */
const ofTools = ['tool-allowlist', 'mcp-server-allowlist'];

const NO_RUN = { record: null, run_device: null };

/**
 * Adds information about the runs of incidents, and the blocks that their devices do not enforce.
 */
export async function withRunContexts(db: Db, tenantId: string, incidents: Tables['incidents'][]) {
  const ids = incidents.flatMap(({ id, run_id }) => (run_id === null ? [] : [id]));
  const [contexts, rows] = await Promise.all([
    ids.length === 0 ? [] : listRunContexts(db, tenantId, ids),
    withBlocksNotInForce(db, tenantId, incidents),
  ]);
  const byId = new Map(contexts.map((context) => [context.id, context]));
  return rows.map((incident) => {
    const isBlock = incident.source === 'policy' && incident.action === 'block';
    const run = byId.get(incident.id);
    if (!run) return { ...incident, ...NO_RUN, obeyed: isBlock ? ('unknown' as const) : null };
    const { device_id, hostname } = run;
    const facts = { ...run, went_on: run.went_on === 1, in_doubt: run.in_doubt === 1 };
    return {
      ...incident,
      obeyed: isBlock ? obeyedOf(facts) : null,
      record: recordOf(incident.category, run),
      run_device: device_id === null ? null : { id: device_id, hostname: hostname ?? device_id },
    };
  });
}

function recordOf(
  category: string,
  { call_id, span_id }: { call_id: number | null; span_id: number | null },
) {
  const isTool = ofTools.includes(category) || call_id === null;
  if (isTool && span_id !== null) return { kind: 'tool' as const, id: String(span_id) };
  return call_id === null ? null : { kind: 'llm_call' as const, id: String(call_id) };
}

interface OfApp {
  action: string;
  policy_id: string;
  device_id: string | null;
  app_group_id: string | null;
}

const keyOf = (...parts: (string | null)[]): string => parts.join(' ');

/**
 * Adds to incidents the names that their rules block but their devices do not, if there are any.
 */
async function withBlocksNotInForce<I extends OfApp>(
  db: Db,
  tenantId: string,
  incidents: readonly I[],
): Promise<(I & { not_in_force?: string[] })[]> {
  const blocking = incidents.filter(({ action }) => action === 'block');
  const devices = [...new Set(blocking.flatMap(({ device_id }) => device_id ?? []))];
  if (devices.length === 0) return [...incidents];
  const found = await blocksNotInForce(db, tenantId, devices);
  const byPlace = new Map(
    found.map(({ block, names }) => [
      keyOf(block.rule_id, block.device_id, block.app_group_id),
      names,
    ]),
  );
  return incidents.map((one) => {
    const names = byPlace.get(keyOf(one.policy_id, one.device_id, one.app_group_id));
    return names ? { ...one, not_in_force: names } : one;
  });
}
