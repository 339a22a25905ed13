import { setTimeout as pause } from 'node:timers/promises';
import { newCall, seeded } from './calls.ts';
import { startRuns, KEY, processorSeconds, type Server } from './processes.ts';
import { type LoadResult, postRequest, runLoad } from './load.ts';

export interface Shape {
  /** The number of LLM calls in one request. */
  batch: number;
  connections: number;
  requests: number;
  /** The size in bytes of the prompt and the response of a call. */
  bytes: number;
}

/** Creates the requests of one shape. Both programs get the same bytes. */
export async function requestsFor(server: Server, { batch, bytes }: Shape): Promise<Buffer[]> {
  const runs = await startRuns(server, 8);
  const random = seeded(7);
  return Array.from({ length: 64 }, (_, i) =>
    postRequest(`/api/v1/observe/runs/${runs[i % 8]}/llm-calls/`, KEY, {
      calls: Array.from({ length: batch }, () => newCall(random, bytes)),
    }),
  );
}

/** Alternates the control plane and the limit program, so that disturbances affect both. */
export async function compare(
  ours: Server,
  limit: Server,
  shape: Shape,
  rounds = 5,
): Promise<{ ours: number; limit: number; ratio: number }> {
  const requests = await requestsFor(ours, shape);
  const rate = ({ requests: sent, seconds }: LoadResult): number => (sent * shape.batch) / seconds;
  const run = async ({ port }: Server, total: number): Promise<number> =>
    rate(await runLoad({ port, connections: shape.connections, requests, total }));
  for (const server of [ours, limit]) await run(server, Math.ceil(shape.requests / 2));
  await untilIdle(ours);
  const pairs: { ours: number; limit: number; ratio: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const one = await run(ours, shape.requests);
    await untilIdle(ours);
    const other = await run(limit, shape.requests);
    pairs.push({ ours: one, limit: other, ratio: one / other });
  }
  pairs.sort((a, b) => a.ratio - b.ratio);
  return pairs[Math.floor(rounds / 2)] as (typeof pairs)[number];
}

/**
 * Waits until the server is idle. Work after the responses, such as indexing, must not take CPU
 * time from the other program.
 */
export async function untilIdle({ pid }: Server): Promise<void> {
  for (let used = Infinity; used > 0.01;) {
    const before = processorSeconds(pid);
    await pause(500);
    used = processorSeconds(pid) - before;
  }
}
