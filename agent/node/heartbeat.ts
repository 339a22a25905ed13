import { z } from 'zod';
import { type CapturePause, capturePause } from '#contract/capture-pauses.ts';
import type { CertificateRefusal } from '#contract/captures.ts';
import { type DeviceConfig, deviceRoutes } from '#contract/device.ts';
import type { ObservationGap } from '#agent/core/observation-gaps.ts';
import type { Connection } from './connection.ts';
import { type Loop, startLoop } from './loop.ts';

export type HeartbeatBody = z.input<typeof deviceRoutes.heartbeat.body>;

export interface HeartbeatOptions {
  everyMs: number;
  connection: Connection;
  body: () => HeartbeatBody;
  /** The service has this one. */
  onSent: (body: HeartbeatBody) => void;
  /** Before each heartbeat, whether it can be sent or not. */
  onBeat: () => void;
  /** The service names the configuration version that this device should run. */
  onVersion: (version: number) => Promise<void>;
}

const most = 20;

/** A heartbeat that arrives ends the problems of these parts, so it must not report them. */
export const endedByHeartbeat: readonly string[] = ['heartbeat', 'control plane'];

/** Reports the device's health to the service at regular intervals. */
export function startHeartbeat(options: HeartbeatOptions): Loop {
  return startLoop(async (signal) => {
    options.onBeat();
    const body = options.body();
    const sent = await options.connection.ask('heartbeat', signal, async (device) =>
      deviceRoutes.heartbeat.response.parse(await device.heartbeat({ body }, { signal })),
    );
    if ('answer' in sent) {
      options.onSent(body);
      await options.onVersion(sent.answer.config_version);
    }
    return options.everyMs;
  });
}

/** Times of which flows are missing, as many as a heartbeat carries. */
export function gapsToReport(gaps: readonly ObservationGap[]): Pick<HeartbeatBody, 'not_observed'> {
  const iso = (ms: number) => new Date(ms).toISOString();
  const not_observed = gaps.slice(0, most).map(({ reason, started_at, ended_at }) => ({
    reason,
    started_at: iso(started_at),
    ended_at: iso(ended_at),
  }));
  return not_observed.length > 0 ? { not_observed } : {};
}

/** A control plane that says nothing of masking is of a version that refuses what it does not know. */
export function refusalsFor(
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

/** A control plane that names no origins is of a version that knows of no pauses. */
export function pausesToReport(
  config: DeviceConfig | null,
  pauses: readonly CapturePause[],
): Pick<HeartbeatBody, 'pauses'> {
  if (pauses.length === 0 || config?.origins === undefined) return {};
  return { pauses: pauses.slice(0, most).map((pause) => z.encode(capturePause, pause)) };
}

/** The gaps that a heartbeat reported. */
export const reportedGaps = ({ not_observed = [] }: HeartbeatBody): ObservationGap[] =>
  not_observed.map(({ reason, started_at, ended_at }) => ({
    reason,
    started_at: Date.parse(started_at),
    ended_at: Date.parse(ended_at),
  }));

/** As many problems as a heartbeat carries; where there are more, the last line says so. */
export function boundProblems(lines: readonly string[]): string[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most - 1), `and ${lines.length - most + 1} more problems`];
}
