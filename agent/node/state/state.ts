import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { deviceConfig } from '#contract/device-protocol.ts';
import { type ObservationGap, withGap, withoutReported } from '#agent/core/observation-gaps.ts';
import { errnoOf, readIfExists, quarantineFile, writeFileAtomic } from './atomic-file.ts';
import { stateEntries } from './state-folder.ts';

const recordSchema = z.object({
  device_id: z.string().nullable(),
  /** The id of the enrolled computer; null in records of earlier versions. */
  hardware_id: z.string().nullable().default(null),
  /** The last configuration applied, as the server sent it. */
  config: deviceConfig.nullable(),
  /** The number of reports discarded since enrollment. */
  dropped: z.int().min(0),
  /** Periods without flow observation, until a heartbeat has reported them. */
  not_observed: z
    .array(
      z.object({
        reason: z.enum(['not_running', 'dropped']),
        started_at: z.int(),
        ended_at: z.int(),
      }),
    )
    .default([]),
  /** Periods during which capture was paused, until a heartbeat has reported their end. */
  pauses: z
    .array(
      z.object({
        id: z.string(),
        user: z.string(),
        started_at: z.int(),
        started_uptime: z.number(),
        minutes: z.int(),
        ended_at: z.int().nullable(),
        ended_by: z.enum(['time', 'person', 'permission', 'clock']).nullable(),
      }),
    )
    .default([]),
  /** The time in ms since which each currently captured host is captured. */
  captured_since: z.record(z.string(), z.int()).default({}),
});
export type DeviceRecord = z.output<typeof recordSchema>;

const blankRecord: DeviceRecord = {
  device_id: null,
  hardware_id: null,
  config: null,
  dropped: 0,
  not_observed: [],
  pauses: [],
  captured_since: {},
};

export interface DeviceState {
  dir: string;
  /** A one-line error if the stored record could not be used. */
  error: string | null;
  read: () => Readonly<DeviceRecord>;
  update: (change: Partial<DeviceRecord>) => void;
  /**
   * Changes the record even if it cannot be stored: a later update then stores this change. Returns
   * the error of the system, if any.
   */
  tryUpdate: (change: Partial<DeviceRecord>) => string | null;
  countDropped: (reports: number) => void;
  /** Resets to a blank record. */
  reset: () => void;
  /** Records a period without flow observation, and the number of dropped reports. */
  addGap: (gap: ObservationGap, dropped?: number) => void;
  removeReportedGaps: (reported: readonly ObservationGap[]) => void;
}

/**
 * Creates the state folder, accessible to this user only.
 *
 * @throws Error of one line if that fails
 */
export function openStateFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    chmodSync(dir, 0o700);
  } catch (error) {
    throw unusable(dir, error);
  }
}

/** The error of one line about a state folder that is read-only or on a full disk, for example. */
export const unusable = (dir: string, cause: unknown): Error =>
  new Error(`state folder ${dir} cannot be used: ${errnoOf(cause) ?? String(cause)}`, { cause });

/**
 * Opens the stored record of the device. A record that cannot be read is set aside, and the device
 * starts with a blank one.
 */
export function openState(dir: string): DeviceState {
  const path = join(dir, stateEntries.record);
  const { error, ...opened } = load(path);
  let current = opened.record;
  const update = (change: Partial<DeviceRecord>): void => {
    current = { ...current, ...change };
    writeFileAtomic(path, JSON.stringify(current));
  };
  const tryUpdate = (change: Partial<DeviceRecord>): string | null => {
    try {
      update(change);
      return null;
    } catch (error) {
      return errnoOf(error) ?? (error as Error).message;
    }
  };
  return {
    dir,
    error,
    read: () => current,
    update,
    tryUpdate,
    reset: () => update(blankRecord),
    countDropped: (reports) => void tryUpdate({ dropped: current.dropped + reports }),
    addGap: (gap, dropped = 0) =>
      void tryUpdate({
        dropped: current.dropped + dropped,
        not_observed: withGap(current.not_observed, gap),
      }),
    removeReportedGaps: (reported) => {
      const not_observed = withoutReported(current.not_observed, reported);
      if (not_observed.length < current.not_observed.length) tryUpdate({ not_observed });
    },
  };
}

/** Reads the record without moving a damaged file. */
export function peekRecord(dir: string): DeviceRecord | 'damaged' | null {
  const text = readIfExists(join(dir, stateEntries.record));
  if (text === null) return null;
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return 'damaged';
  }
}

function load(path: string): { record: DeviceRecord; error: string | null } {
  const text = readIfExists(path);
  if (text === null) return { record: blankRecord, error: null };
  try {
    return { record: recordSchema.parse(JSON.parse(text)), error: null };
  } catch {
    quarantineFile(path);
    return { record: blankRecord, error: `${path} was damaged; kept as ${path}.corrupt` };
  }
}
