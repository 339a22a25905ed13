import type { inventoryRuleRoutes } from '#contract/inventory-rules.ts';
import type { z } from 'zod';
import type { Db } from '../storage/open.ts';
import { listDevicesOfGroup, listAppsOnDevices } from './evaluation/evaluation-queries.ts';
import { type Finding, findingOf, type GroupOnDevice } from './evaluation/transitions.ts';
import { listGroupsAfter } from './group-queries.ts';
import { mayMatch, type GroupFacts, type Rule } from './matching.ts';

type Preview = z.output<typeof inventoryRuleRoutes.previewInventoryRule.response>;
type Group = GroupFacts & { id: string };

const MAX_FINDINGS = 100;
/** The maximum number of apps on devices that a preview evaluates, which takes about a second. */
const MAX_PLACES = 20_000;
const PLACES_AT_ONCE = 500;
const GROUPS_AT_ONCE = 500;

/** Returns the findings that a rule would have now, up to the limit of one request. */
export async function preview(reader: Db, tenantId: string, body: Rule): Promise<Preview> {
  const rule = { ...body, id: '', name: '', active: true };
  const devices = new Set<string>();
  const apps = new Set<string>();
  const findings: Preview['findings'] = [];
  let finding_count = 0;
  let looked = 0;
  for await (const places of placesOf(reader, tenantId, rule)) {
    looked += places.length;
    for (const place of places) {
      const found = findingOf(rule, place);
      if (!found) continue;
      finding_count += 1;
      devices.add(place.device.id);
      apps.add(place.group.id);
      if (findings.length < MAX_FINDINGS) findings.push(shownFinding(place, found));
    }
    if (looked >= MAX_PLACES) break;
  }
  return {
    app_count: apps.size,
    device_count: devices.size,
    finding_count,
    complete: looked < MAX_PLACES,
    findings,
  };
}

const shownFinding = (
  { group, device }: GroupOnDevice,
  { reason, processes, app }: Finding,
): Preview['findings'][number] => ({
  group_id: group.id,
  kind: group.kind,
  name: group.name,
  device_id: device.id,
  hostname: device.hostname,
  user: app.user,
  version: app.version,
  reason,
  processes,
});

/** Yields all places of the apps that a rule concerns, some hundreds at a time. */
async function* placesOf(
  reader: Db,
  tenantId: string,
  rule: Rule,
): AsyncGenerator<GroupOnDevice[]> {
  for await (const group of groupsOf(reader, tenantId)) {
    if (!mayMatch(rule, group)) continue;
    for (let after = ''; ;) {
      const at = { group_id: group.id, device_id: after };
      const devices = await listDevicesOfGroup(reader, tenantId, at, PLACES_AT_ONCE);
      if (devices.length === 0) break;
      yield await listAppsOnDevices(reader, tenantId, group, devices);
      after = devices.at(-1) ?? '';
    }
  }
}

async function* groupsOf(reader: Db, tenantId: string): AsyncGenerator<Group> {
  for (let from = ''; ;) {
    const after = { id: from, itself: false };
    const groups = await listGroupsAfter(reader, tenantId, after, GROUPS_AT_ONCE);
    yield* groups;
    const last = groups.at(-1);
    if (!last || groups.length < GROUPS_AT_ONCE) return;
    from = last.id;
  }
}
