import type { CaptureLevel, CertificateRefusal } from '#contract/captures.ts';
import type { GuardFields } from '#contract/guard.ts';
import { captureLevel } from '#domain/capture/capture-level.ts';
import { normalizeHost } from '#domain/hosts/host-catalog.ts';
import type { Db } from '../storage/open.ts';
import { listCatalogIds, listExchangesWithBodies, listContactedHosts } from './level-queries.ts';

interface OfDevice {
  tenantId: string;
  deviceId: string;
  config: GuardFields;
  refusals: readonly CertificateRefusal[];
}

/** Returns the capture level of each app of a device. */
export async function captureLevels(
  db: Db,
  { tenantId, deviceId, config, refusals }: OfDevice,
): Promise<CaptureLevel[]> {
  const apps = await listCatalogIds(db, tenantId, deviceId);
  if (apps.length === 0) return [];
  const hosts = config.capture_enabled ? config.intercept_hosts.map(normalizeHost) : [];
  const facts = {
    capturedHosts: new Set(hosts),
    contents: await listExchangesWithBodies(db, tenantId, deviceId),
    refusals,
    reached: await listContactedHosts(db, tenantId, deviceId),
  };
  return apps.map((app) => captureLevel(app, facts));
}
