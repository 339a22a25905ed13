import { normalizeHost } from '#agent/core/host-catalog.ts';
import type { CaptureReport } from '#contract/captures.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Masker } from '../masking/masker.ts';
import type { Rows } from '../storage/bulk.ts';
import { shortHash } from '../device-reports/rows.ts';

interface Taking {
  masker: Masker;
  now: number;
  /** The provider's id of the answer. */
  response_id: string | null;
}

/** A capture as it is stored: masked by the tenant's rules, whatever the device redacted before. */
export function captureRow(
  { tenantId, deviceId }: DeviceCaller,
  report: CaptureReport,
  { masker, now, response_id }: Taking,
) {
  const { id, refused: _, ...capture } = report;
  const { path, request_body, response_body } = capture;
  return {
    tenant_id: tenantId,
    // Devices choose their ids: those of another must not stand in its way.
    id: `cap_${shortHash(`${deviceId}\0${id}`)}`,
    device_id: deviceId,
    ...capture,
    host: normalizeHost(capture.host),
    ...masker.mask({ path, request_body, response_body }),
    received_at: now,
    response_id,
  } satisfies Rows<'captures'>[number];
}
