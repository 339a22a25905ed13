import type { CodingAgentLevel } from '#contract/guard.ts';
import { configOfDevice } from '../guard/device-config.ts';
import type { Storage } from '../storage/open.ts';
import { findRecordingKey } from './recording-key-queries.ts';

const FRESH_MS = 5000;

export interface RecordingKey {
  id: string;
  tenantId: string;
  deviceId: string;
  userGroup: string | null;
  user: string | null;
  level: CodingAgentLevel;
  expiresAt: number;
}

/** Finds a key by its hash; undefined unless its device may currently record with it. */
export type FindRecordingKey = (hash: string) => Promise<RecordingKey | undefined>;

/**
 * Caches recording keys in the same way as API keys. A change of Guard or of a device evicts them
 * at once, and a process that misses the signal notices the change within five seconds.
 */
export function cacheRecordingKeys({ db, signals }: Storage): FindRecordingKey {
  const cache = new Map<string, { key: RecordingKey; until: number }>();
  const topics = new Set(['guard', 'identities']);
  signals.subscribe(({ topic }) => {
    if (topics.has(topic)) cache.clear();
  });
  return async (hash) => {
    const entry = cache.get(hash);
    if (entry && performance.now() < entry.until) return entry.key;
    cache.delete(hash);
    const row = await findRecordingKey(db, hash);
    if (row?.status !== 'active') return undefined;
    const config = await configOfDevice(db, row.tenant_id, row.device_id);
    if (config.coding_agents === 'off') return undefined;
    const key = {
      id: row.id,
      tenantId: row.tenant_id,
      deviceId: row.device_id,
      userGroup: row.user_group,
      user: personOf(row.user),
      level: config.coding_agents,
      expiresAt: row.expires_at,
    };
    cache.set(hash, { key, until: performance.now() + FRESH_MS });
    return key;
  };
}

/**
 * Returns the user if it is a person. The agent of a Linux package runs as root, no matter which
 * person uses the computer.
 */
const personOf = (user: string): string | null => (user === '' || user === 'root' ? null : user);
