import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { deviceConfig } from '#contract/device.ts';
import { readIfThere, setAside, writeFileAtomic } from './atomic-file.ts';

const record = z.object({
  device_id: z.string().nullable(),
  /** Of the computer that was enrolled; null in records of earlier versions. */
  hardware_id: z.string().nullable().default(null),
  /** The last configuration applied, as the server sent it. */
  config: deviceConfig.nullable(),
  /** Reports given up since enrollment. */
  dropped: z.int().min(0),
});
export type DeviceRecord = z.output<typeof record>;

const blank: DeviceRecord = { device_id: null, hardware_id: null, config: null, dropped: 0 };

export interface DeviceState {
  dir: string;
  /** One line if what was stored could not be used. */
  problem: string | null;
  read: () => Readonly<DeviceRecord>;
  update: (change: Partial<DeviceRecord>) => void;
  countDropped: (reports: number) => void;
  /** Starts from a blank record. */
  reset: () => void;
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
  const path = join(dir, 'device.json');
  const { problem, ...opened } = load(path);
  let current = opened.record;
  const update = (change: Partial<DeviceRecord>): void => {
    current = { ...current, ...change };
    writeFileAtomic(path, JSON.stringify(current));
  };
  return {
    dir,
    problem,
    read: () => current,
    update,
    reset: () => update(blank),
    countDropped: (reports) => {
      try {
        update({ dropped: current.dropped + reports });
      } catch {
        // Reports are given up when the disk is full: the count then reaches it with a later update.
      }
    },
  };
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
