import { type CompiledPolicy, toolPolicies, type ToolPolicies } from '#contract/tool-checks.ts';
import { readIfExists, removeIfExists, writeFileAtomic } from '../state/atomic-file.ts';
import type { Connection } from '../link/connection.ts';
import { startLoop } from '#lib/loop.ts';

export interface ToolPolicyCacheOptions {
  /** The file that stores the policies for restarts, and for times without the control plane. */
  file: string;
  connection: Pick<Connection, 'request'>;
  /** Returns whether the policies are needed now. */
  isNeeded: () => boolean;
  intervalMs: number;
}

export interface ToolPolicyCache {
  /** Returns the policies for a client; null if none were ever fetched. */
  policiesFor: (client: string) => readonly CompiledPolicy[] | null;
  /** Fetches the policies again, if they are needed. */
  refresh: () => void;
  stop: () => Promise<void>;
}

/**
 * Caches the policies by which this device decides tool calls. They are fetched at each interval
 * with their entity tag, so unchanged policies are not sent again.
 */
export function createToolPolicyCache(options: ToolPolicyCacheOptions): ToolPolicyCache {
  const { file, connection, isNeeded, intervalMs } = options;
  let current = load(file);
  let stored = JSON.stringify(current);

  const loop = startLoop(async (signal) => {
    if (!isNeeded()) return null;
    const result = await connection.request('tool policies', signal, async (device) =>
      toolPolicies.parse(await device.getToolPolicies(undefined, { signal })),
    );
    if (!('response' in result)) return intervalMs;
    current = result.response;
    const text = JSON.stringify(current);
    if (text !== stored) writeFileAtomic(file, text);
    stored = text;
    return intervalMs;
  });
  return {
    policiesFor: (client) => current?.clients[client]?.policies ?? null,
    refresh: loop.runNow,
    stop: loop.stop,
  };
}

function load(file: string): ToolPolicies | null {
  const text = readIfExists(file);
  if (text === null) return null;
  try {
    return toolPolicies.parse(JSON.parse(text));
  } catch {
    // The policies are fetched again.
    removeIfExists(file);
    return null;
  }
}
