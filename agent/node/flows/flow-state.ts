import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Flow } from '#agent/core/flow-table.ts';

const text = z.string().nullable();
const bytes = z.int().min(0).nullable();

/** An open flow that was reported. Times are milliseconds. */
const storedFlow = z.object({
  key: z.union([z.number(), z.string()]),
  id: z.string(),
  protocol: z.enum(['tcp', 'udp']),
  localAddress: z.string(),
  localPort: z.int(),
  address: z.string(),
  port: z.int(),
  inode: z.int(),
  user: text,
  owner: z.object({ pid: z.int(), name: z.string(), path: text }).nullable(),
  appId: text,
  host: text,
  startedAt: z.int(),
  bytesIn: bytes,
  bytesOut: bytes,
});

/** `seen_at`: when all flows were last seen. `scope`: see FlowSource. */
const flowState = z.object({
  scope: z.string(),
  seen_at: z.int(),
  flows: z.array(storedFlow),
});

export interface FlowState {
  /** The open flows of an earlier run. */
  flows: Flow[];
  scope: string;
  /** The time of its last poll. */
  seenAt: number;
}

/** The state of an earlier run; an error if it exists but is invalid. */
export async function readFlowState(file: string): Promise<FlowState | { error: string } | null> {
  try {
    const content = flowState.parse(JSON.parse(await readFile(file, 'utf8')));
    return {
      scope: content.scope,
      seenAt: content.seen_at,
      flows: content.flows.map((stored) => fromStored(stored, content.seen_at)),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    return { error: `the open flows in ${file} cannot be read and are discarded` };
  }
}

/** Atomically writes the reported open flows. */
export async function writeFlowState(
  file: string,
  scope: string,
  seenAt: number,
  flows: Iterable<Flow>,
): Promise<void> {
  const openFlows = [...flows].filter((flow) => flow.phase === 'open' && flow.reported);
  const content: z.input<typeof flowState> = {
    scope,
    seen_at: seenAt,
    flows: openFlows.map(toStored),
  };
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(content));
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

/** Keeps only the stored members, in their order. */
function toStored(flow: Flow): z.input<typeof storedFlow> {
  return storedFlow.parse(flow);
}

function fromStored(stored: z.output<typeof storedFlow>, seenAt: number): Flow {
  const { appId, host, owner, bytesIn, bytesOut } = stored;
  return {
    ...stored,
    phase: 'open',
    lastSeen: seenAt,
    endedAt: null,
    reported: { at: seenAt, appId, host, owner, bytesIn, bytesOut },
    lastPoll: 0,
    misses: 0,
  };
}
