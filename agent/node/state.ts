import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { deviceConfig } from '#contract/device.ts';
import { type ObservationGap, withGap, withoutReported } from '#agent/core/observation-gaps.ts';
import { readIfThere, setAside, writeFileAtomic } from './atomic-file.ts';
import { stateEntries } from './state-folder.ts';

const record = z.object({
  device_id: z.string().nullable(),
  /** Of the computer that was enrolled; null in records of earlier versions. */
  hardware_id: z.string().nullable().default(null),
  /** The last configuration applied, as the server sent it. */
  config: deviceConfig.nullable(),
  /** Reports given up since enrollment. */
  dropped: z.int().min(0),
  /** Times of which flows are missing, until a heartbeat has reported them. */
  not_observed: z
    .array(
      z.object({
        reason: z.enum(['not_running', 'dropped']),
        started_at: z.int(),
        ended_at: z.int(),
      }),
    )
    .default([]),
  /** Times for which capture was paused, until a heartbeat has reported their end. */
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
  /** Since when each host is captured that is captured now, in ms. */
  captured_since: z.record(z.string(), z.int()).default({}),
});
export type DeviceRecord = z.output<typeof record>;

const blank: DeviceRecord = {
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
  /** One line if what was stored could not be used. */
  problem: string | null;
  read: () => Readonly<DeviceRecord>;
  update: (change: Partial<DeviceRecord>) => void;
  countDropped: (reports: number) => void;
  /** Starts from a blank record. */
  reset: () => void;
  /** Flows are missing, and so many reports of them were given up. */
  addGap: (gap: ObservationGap, dropped?: number) => void;
  forgetGaps: (reported: readonly ObservationGap[]) => void;
}

/** Creates the state folder, for this user only. Throws an Error of one line if it cannot. */
export function openStateFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    chmodSync(dir, 0o700);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`state folder ${dir} cannot be used: ${code}`, { cause });
  }
}

/**
 * What the device remembers about itself. A record that cannot be read is set aside, and the
 * device starts from a blank one.
 */
export function openState(dir: string): DeviceState {
  const path = join(dir, stateEntries.record);
  const { problem, ...opened } = load(path);
  let current = opened.record;
  const update = (change: Partial<DeviceRecord>): void => {
    current = { ...current, ...change };
    writeFileAtomic(path, JSON.stringify(current));
  };
  const tryUpdate = (change: Partial<DeviceRecord>): void => {
    try {
      update(change);
    } catch {
      // Reports are given up when the disk is full: this then reaches it with a later update.
    }
  };
  return {
    dir,
    problem,
    read: () => current,
    update,
    reset: () => update(blank),
    countDropped: (reports) => tryUpdate({ dropped: current.dropped + reports }),
    addGap: (gap, dropped = 0) =>
      tryUpdate({
        dropped: current.dropped + dropped,
        not_observed: withGap(current.not_observed, gap),
      }),
    forgetGaps: (reported) => {
      const not_observed = withoutReported(current.not_observed, reported);
      if (not_observed.length < current.not_observed.length) tryUpdate({ not_observed });
    },
  };
}

/** What is stored, without setting aside what is damaged. */
export function peekRecord(dir: string): DeviceRecord | 'damaged' | null {
  const text = readIfThere(join(dir, stateEntries.record));
  if (text === null) return null;
  try {
    return record.parse(JSON.parse(text));
  } catch {
    return 'damaged';
  }
}

function load(path: string): { record: DeviceRecord; problem: string | null } {
  const text = readIfThere(path);
  if (text === null) return { record: blank, problem: null };
  try {
    return { record: record.parse(JSON.parse(text)), problem: null };
  } catch {
    setAside(path);
    return { record: blank, problem: `${path} was damaged; kept as ${path}.corrupt` };
  }
}
