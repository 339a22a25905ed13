import { deleteMark } from '../mark-queries.ts';
import { listProblems, listSilent } from './watch-queries.ts';
import type { WatchContext } from './watch-context.ts';

const MINUTE_MS = 60_000;
/** The delay after a start, because devices could not report while the control plane was down. */
const STARTUP_GRACE_MS = 5 * MINUTE_MS;
/**
 * The age of an outage up to which it is reported, so that a new rule or a restart does not report
 * old ones.
 */
const MAX_OUTAGE_AGE_MS = 24 * 60 * MINUTE_MS;

/**
 * Reports devices that went offline, once for each outage and each number of minutes that a rule
 * names.
 */
async function offline(watching: WatchContext): Promise<void> {
  const { tx, tenantId, now, startedAt, rules, mark, notify } = watching;
  if (now - startedAt < STARTUP_GRACE_MS) return;
  const interested = rules.filter(({ events }) => events.includes('device.offline'));
  const byMinutes = Map.groupBy(interested, (rule) => rule.offline_minutes);
  for (const [minutes, of] of byMinutes) {
    const silence = minutes * MINUTE_MS;
    const since = Math.max(now - MAX_OUTAGE_AGE_MS, Math.min(...of.map((rule) => rule.since)));
    const devices = await listSilent(tx.db, tenantId, since - silence, now - silence);
    for (const { last_seen, ...device } of devices)
      if (await mark(`offline ${minutes} ${device.id}`, String(last_seen)))
        await notify({ event: 'device.offline', tenantId, device, minutes, last_seen });
  }
}

/** Reports problems that an agent did not report before. */
async function problems({ tx, tenantId, marks, mark, notify }: WatchContext): Promise<void> {
  const reporting = await listProblems(tx.db, tenantId);
  for (const { problems: text, ...device } of reporting) {
    const key = `problem ${device.id}`;
    const before = JSON.parse(marks.get(key) ?? '[]') as string[];
    const now = JSON.parse(text) as string[];
    const added = now.filter((problem) => !before.includes(problem));
    if ((await mark(key, text)) && added.length > 0)
      await notify({ event: 'device.problem', tenantId, device, problems: added });
  }
  const keys = new Set(reporting.map(({ id }) => `problem ${id}`));
  for (const key of marks.keys())
    if (key.startsWith('problem ') && !keys.has(key)) await deleteMark(tx, tenantId, key);
}

export const watchDevices = { offline, problems };
