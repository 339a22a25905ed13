import { randomUUID } from 'node:crypto';
import { linkSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errnoOf, readIfExists, removeIfExists } from './atomic-file.ts';
import { platform } from '../platform.ts';
import { stateEntries } from './state-folder.ts';

const holderSchema = z.object({ pid: z.int().positive(), started: z.string().nullable() });
type Holder = z.output<typeof holderSchema>;

export interface Lock {
  release(): void;
}

/**
 * Makes this process the only agent of a state folder, or returns a one-line error that names the
 * other agent. The lock of a process that has ended is taken over; the start time distinguishes a
 * process from a later one with the same pid.
 */
export async function acquireLock(stateDir: string): Promise<{ lock: Lock } | { error: string }> {
  const path = join(stateDir, stateEntries.lock);
  const ownHolder = { pid: process.pid, started: await platform.readProcessStart(process.pid) };
  for (;;) {
    if (createExclusively(path, JSON.stringify(ownHolder)))
      return { lock: { release: () => release(path) } };
    const text = readIfExists(path);
    if (text === null) continue;
    const held = parseHolder(text);
    if (held && (await isRunning(held)))
      return { error: `another agent (pid ${held.pid}) uses ${stateDir}` };

    removeStale(path, text);
  }
}

/** Returns whether this text names a process that holds a lock. */
export const isLockText = (text: string): boolean => parseHolder(text) !== undefined;

/** Returns the process that holds the lock of a state folder, if it still runs. Changes nothing. */
export async function findLockHolder(stateDir: string): Promise<number | null> {
  const held = parseHolder(readIfExists(join(stateDir, stateEntries.lock)) ?? '');
  return held && (await isRunning(held)) ? held.pid : null;
}

// A hard link appears with its whole content or not at all, so no process reads a partial lock.
function createExclusively(path: string, text: string): boolean {
  const temporaryPath = `${path}.${randomUUID()}`;
  try {
    writeFileSync(temporaryPath, text, { mode: 0o600 });
    linkSync(temporaryPath, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    // A full disk leaves an empty file behind.
    removeIfExists(temporaryPath);
  }
}

// Two agents may find the same stale lock. After the file is moved, its content shows which lock it
// was; if it was the other agent's new lock, it is moved back.
function removeStale(path: string, stale: string): void {
  const movedPath = `${path}.${randomUUID()}`;
  try {
    renameSync(path, movedPath);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  if (readIfExists(movedPath) === stale) unlinkSync(movedPath);
  else renameSync(movedPath, path);
}

function release(path: string): void {
  const held = parseHolder(readIfExists(path) ?? '');
  if (held?.pid === process.pid) removeIfExists(path);
}

function parseHolder(text: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function isRunning({ pid, started }: Holder): Promise<boolean> {
  const now = await platform.readProcessStart(pid);
  return now !== null && (started === null || now === started);
}
