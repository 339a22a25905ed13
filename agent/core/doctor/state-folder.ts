import { type Check, notChecked, ok, problem, sudoAdvice } from './check.ts';
import { formatTime, plural, formatBytes, formatDuration } from './format.ts';

export interface SpoolFacts {
  files: number;
  bytes: number;
  /** The time in ms when the oldest file was last written. */
  oldest: number | null;
  /** Files that the control plane rejected. */
  rejected: number;
}

export interface StateFacts {
  dir: string;
  /** `private`: this user may not read it. */
  folder: 'there' | 'missing' | 'private' | 'read-only' | 'no folder';
  owner: string | null;
  /** Null: unknown. */
  freeBytes: number | null;
  spools: SpoolFacts | null;
  /** Reports dropped since enrollment. */
  dropped: number | null;
  now: number;
}

const MIN_FREE_BYTES = 100_000_000;
/** The limit of both spools together; beyond it the oldest reports are dropped. */
const MAX_SPOOLED_BYTES = 128 * 1024 * 1024;
const MAX_WAIT_MS = 15 * 60_000;

/** The agent's state folder, and the reports in it that wait to be uploaded. */
export const checkStateFolder = (facts: StateFacts): Check[] => [
  checkFolder(facts),
  checkDisk(facts),
  checkSpool(facts),
];

function checkFolder({ dir, folder, owner }: StateFacts): Check {
  const id = 'state-folder';
  switch (folder) {
    case 'there':
      return ok(id, `The agent keeps its state in ${dir}.`);
    case 'missing':
      return notChecked(id, `There is no folder ${dir} yet: the agent creates it when it starts.`);
    case 'private':
      return notChecked(
        id,
        `${dir} belongs to ${owner ?? 'another user'}, and no other user may read it.`,
        sudoAdvice,
      );
    case 'read-only':
      return problem(
        id,
        `The agent cannot write to ${dir}, which belongs to ${owner ?? 'an unknown user'}.`,
        'IT',
        `Give the folder back to the user that the agent runs as, with everything in it, or mount its disk writable.`,
      );
    case 'no folder':
      return problem(
        id,
        `${dir} is not a folder.`,
        'IT',
        'Move it away: the agent creates the folder when it starts.',
      );
  }
}

function checkDisk({ dir, freeBytes }: StateFacts): Check {
  const id = 'disk';
  if (freeBytes === null)
    return notChecked(id, `The free space on the disk of ${dir} is not known.`);
  if (freeBytes >= MIN_FREE_BYTES)
    return ok(id, `${formatBytes(freeBytes)} are free on the disk of ${dir}.`);
  const full = freeBytes === 0 ? 'The disk' : `Only ${formatBytes(freeBytes)} are free on the disk`;
  return problem(
    id,
    `${full} of ${dir}${freeBytes === 0 ? ' is full' : ''}: reports are lost when there is no space.`,
    'user',
    `Free at least ${formatBytes(MIN_FREE_BYTES)}.`,
  );
}

function checkSpool({ dir, folder, spools, dropped, now }: StateFacts): Check {
  const id = 'spool';
  if (folder === 'missing')
    return notChecked(id, `No report waits to be sent, because there is no folder ${dir} yet.`);
  if (folder === 'no folder')
    return notChecked(id, `No report can be stored, because ${dir} is not a folder.`);
  if (!spools)
    return notChecked(
      id,
      'Reports that wait to be sent are in the state folder, which this user may not read.',
    );
  const { files, bytes, oldest, rejected } = spools;
  const lost = dropped
    ? ` ${plural(dropped, 'report')} ${dropped === 1 ? 'was' : 'were'} discarded since this computer enrolled.`
    : '';
  if (bytes > MAX_SPOOLED_BYTES * 0.9)
    return problem(
      id,
      `The spool is full (${formatBytes(bytes)}), and the oldest reports are being discarded.${lost}`,
      'IT',
      'Fix the connection to the control plane (see the checks above); the spool then empties by itself.',
    );
  if (oldest !== null && now - oldest > MAX_WAIT_MS)
    return problem(
      id,
      `Reports have waited for ${formatDuration(now - oldest)} (${formatBytes(bytes)}).${lost}`,
      'IT',
      'Fix the connection to the control plane (see the checks above); they are sent then.',
    );
  if (rejected > 0)
    return problem(
      id,
      `The control plane did not accept ${plural(rejected, 'batch')}: files *.rejected in the spool.${lost}`,
      'IT',
      'Update the control plane and the app to the same version; if it happens again, send one of the files to support.',
    );
  if (files === 0) return ok(id, `No report waits to be sent.${lost}`);
  const since = oldest === null ? '' : `, the oldest since ${formatTime(oldest)}`;
  return ok(
    id,
    `${plural(files, 'file')} of reports (${formatBytes(bytes)}) wait to be sent${since}.${lost}`,
  );
}
