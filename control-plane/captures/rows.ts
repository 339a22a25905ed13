import { normalizeHost } from '#agent/core/host-catalog.ts';
import type { CaptureReport } from '#contract/captures.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Masker } from '../masking/masker.ts';
import type { Rows } from '../storage/bulk.ts';
import { shortHash } from '../device-reports/rows.ts';

interface RowOptions {
  masker: Masker;
  now: number;
  /** The provider's response id. */
  response_id: string | null;
}

/** A capture as stored: masked by the tenant's rules, in addition to the device's redaction. */
export function captureRow(
  { tenantId, deviceId }: DeviceCaller,
  report: CaptureReport,
  { masker, now, response_id }: RowOptions,
) {
  const { id, refused: _, ...capture } = report;
  const { path, request_body, response_body } = capture;
  return {
    tenant_id: tenantId,
    // Devices choose their ids, so the hash includes the device to avoid collisions.
    id: `cap_${shortHash(`${deviceId}\0${id}`)}`,
    device_id: deviceId,
    ...capture,
    host: normalizeHost(capture.host),
    ...masker.mask({ path, request_body, response_body }),
    received_at: now,
    response_id,
  } satisfies Rows<'captures'>[number];
}
