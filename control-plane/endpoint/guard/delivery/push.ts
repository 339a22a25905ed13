import type { Context } from '../../../context.ts';
import { ownRulesOf } from '../../../settings/queries.ts';
import { configVersion, listLayers } from '../queries.ts';
import type { Line } from './line.ts';
import { pushMessages } from './rules.ts';
import { stillServed } from './standing.ts';

const lastSent = new WeakMap<Line, string>();

/** Tells devices of one tenant what they should run. What a line was told last is not told again. */
export async function pushConfigs(
  context: Context,
  tenantId: string,
  lines: readonly Line[],
): Promise<void> {
  const { db } = context.storage;
  // The version is read first: if a layer changes in between, devices are told once more, rather
  // than believing that they have a version which they have not.
  const version = await configVersion(db, tenantId);
  const layers = await listLayers(db, tenantId);
  const masking = await ownRulesOf(db, tenantId);
  const messageOf = pushMessages({ version, layers, masking });
  // Looked up last, so that whoever was revoked until now is told nothing.
  for (const [line, target] of await stillServed(context, tenantId, lines)) {
    const message = messageOf(target);
    if (lastSent.get(line) === message) continue;
    lastSent.set(line, message);
    line.send(message);
  }
}
