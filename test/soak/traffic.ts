import { X509Certificate } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CaptureWorld } from '../support/capture-world/world.ts';
import { pollUntil } from '../support/processes.ts';

/** A difference between what a server has sent and what the client has received. */
export interface ClientFailure {
  kind: string;
  startedAt: number;
  endedAt: number;
  error: string;
}

export interface PauseFigures {
  /** The number of exchanges by kind since the start. */
  counts: Record<string, number>;
  /** The duration of the longest exchange since the last pause. */
  slowestMs: number;
}

export interface Traffic {
  work: () => void;
  refuse: () => void;
  /** Resolves when no exchange is in progress. */
  rest: () => Promise<PauseFigures>;
  /** All failures so far. */
  failures: () => ClientFailure[];
}

/** Starts clients of all kinds on the device, in a separate process. */
export function startTraffic(world: CaptureWorld): Traffic {
  const program = join(import.meta.dirname, 'traffic-program.ts');
  const { fingerprint256 } = new X509Certificate(world.certificates.uncapturedHost);
  const client = world.start([process.execPath, program], 'managed', {
    NEIGHBOUR_FINGERPRINT: fingerprint256,
    WORLD: world.authority,
    FOLDER: mkdtempSync(join(tmpdir(), 'gatehouse-refusing-')),
  });
  const lines = () =>
    client
      .out()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ClientFailure | (PauseFigures & { rested: true }));
  const rests = () => lines().filter((line) => 'rested' in line);
  let ended: unknown;
  void client.ended.then((how) => (ended = how));
  return {
    work: () => client.writeLine('work'),
    refuse: () => client.writeLine('refuse'),
    async rest() {
      const before = rests().length;
      client.writeLine('rest');
      await pollUntil(rests, (all) => all.length > before || ended !== undefined);
      const last = rests().at(-1);
      if (ended !== undefined || !last) throw new Error(`traffic ended: ${JSON.stringify(ended)}`);
      return last;
    },
    failures: () => lines().filter((line) => 'error' in line),
  };
}
