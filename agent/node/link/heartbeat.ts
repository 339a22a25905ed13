import { z } from 'zod';
import { type CapturePause, capturePause } from '#contract/capture-pauses.ts';
import type { CertificateRefusal } from '#contract/captures.ts';
import { type DeviceConfig, deviceRoutes } from '#contract/device-protocol.ts';
import type { ObservationGap } from '#agent/core/observation-gaps.ts';
import type { Connection } from './connection.ts';
import { type Loop, startLoop } from '#lib/loop.ts';

export type HeartbeatBody = z.input<typeof deviceRoutes.heartbeat.body>;

export interface HeartbeatOptions {
  intervalMs: number;
  connection: Connection;
  body: () => HeartbeatBody;
  /** Called when the control plane has accepted this heartbeat. */
  onSent: (body: HeartbeatBody) => void;
  /** Called before each heartbeat, even if it cannot be sent. */
  beforeSend: () => void;
  /** Called with the configuration version that this device should run, from the control plane. */
  onVersion: (version: number) => Promise<void>;
}

const MAX_ITEMS = 20;

/** Parts whose problems a successful heartbeat resolves, so it must not report them. */
export const resolvedByHeartbeat: readonly string[] = ['heartbeat', 'control plane'];

/** Reports the device's health to the control plane at regular intervals. */
export function startHeartbeat(options: HeartbeatOptions): Loop {
  return startLoop(async (signal) => {
    options.beforeSend();
    const body = options.body();
    const result = await options.connection.request('heartbeat', signal, async (device) =>
      deviceRoutes.heartbeat.response.parse(await device.heartbeat({ body }, { signal })),
    );
    if (result.kind === 'answered') {
      options.onSent(body);
      await options.onVersion(result.response.config_version);
    }
    return options.intervalMs;
  });
}

/** Returns the periods without flow observation, as many as a heartbeat may contain. */
export function gapFields(gaps: readonly ObservationGap[]): Pick<HeartbeatBody, 'not_observed'> {
  const iso = (ms: number) => new Date(ms).toISOString();
  const not_observed = gaps.slice(0, MAX_ITEMS).map(({ reason, started_at, ended_at }) => ({
    reason,
    started_at: iso(started_at),
    ended_at: iso(ended_at),
  }));
  return not_observed.length > 0 ? { not_observed } : {};
}

/**
 * Returns the refusals, unless the control plane sends no masking rules: such a version rejects
 * unknown fields.
 */
export function refusalFields(
  config: DeviceConfig | null,
  refusals: readonly CertificateRefusal[],
): Pick<HeartbeatBody, 'certificate_refusals'> {
  if (refusals.length === 0 || config?.masking === undefined) return {};
  const certificate_refusals = refusals.map((refusal) => ({
    ...refusal,
    since: new Date(refusal.since).toISOString(),
  }));
  return { certificate_refusals };
}

/**
 * Returns the pauses, unless the control plane sends no origins: such a version does not support
 * pauses.
 */
export function pauseFields(
  config: DeviceConfig | null,
  pauses: readonly CapturePause[],
): Pick<HeartbeatBody, 'pauses'> {
  if (pauses.length === 0 || config?.origins === undefined) return {};
  return { pauses: pauses.slice(0, MAX_ITEMS).map((pause) => z.encode(capturePause, pause)) };
}

/** Returns the gaps that a heartbeat reported. */
export const reportedGaps = ({ not_observed = [] }: HeartbeatBody): ObservationGap[] =>
  not_observed.map(({ reason, started_at, ended_at }) => ({
    reason,
    started_at: Date.parse(started_at),
    ended_at: Date.parse(ended_at),
  }));

/**
 * Limits the problems to the number that a heartbeat may contain; the last line counts the rest.
 */
export function limitProblems(lines: readonly string[]): string[] {
  if (lines.length <= MAX_ITEMS) return [...lines];
  return [...lines.slice(0, MAX_ITEMS - 1), `and ${lines.length - MAX_ITEMS + 1} more problems`];
}
