import { expect } from 'vitest';
import { pollUntil } from '../processes.ts';
import { type Client, clients, hosts } from './clients.ts';
import type { Trust } from './files.ts';
import { internet } from './network.ts';
import type { CaptureWorld, ProgramResult, RunningProgram } from './world.ts';
import { createHash } from 'node:crypto';

/** A secret in the format of an OpenAI key, different for each name. */
export const secretOf = (name: string): string =>
  `sk-proj-${createHash('sha384').update(name).digest('base64url')}`;

/** A prompt with the name of the client, which only the client and its server may see. */
export const promptOf = (name: string): string =>
  `${name}: what is wrong with the key ${secretOf(name)} of zoe@example.com ?`;

/** Parts of a secret: an event of a stream has nine of its characters and so contains one of them. */
export const fragmentsOf = (secret: string): string[] =>
  Array.from({ length: secret.length - 15 }, (_, i) => secret.slice(8 + i, 16 + i));

const captureEnabled = {
  capture_enabled: true,
  intercept_hosts: [hosts.openai, hosts.anthropic, hosts.gemini],
};
const captureDisabled = { capture_enabled: false };
const MAX_CLIENTS = 4;

type Listed = Awaited<
  ReturnType<CaptureWorld['owner']['captures']['listCaptures']>
>['results'][number];

/** Runs programs that call models, and reads the resulting captures. */
export type ModelTraffic = ReturnType<typeof startModelTraffic>;

export function startModelTraffic(world: CaptureWorld) {
  const usedNames = new Set<string>();

  const start = ({ command }: Client, name: string, trust: Trust): RunningProgram => {
    usedNames.add(name);
    return world.start(command(promptOf(name)), trust);
  };
  const runClient = (client: Client, trust: Trust): Promise<ProgramResult> =>
    start(client, client.name, trust).ended;
  /**
   * Runs only a few clients at once: on a busy machine, the agent would not find their processes in
   * time.
   */
  const runAllClients = async (trust: Trust): Promise<ProgramResult[]> => {
    const programResults: ProgramResult[] = [];
    for (let i = 0; i < clients.length; i += MAX_CLIENTS) {
      const some = clients.slice(i, i + MAX_CLIENTS).map((client) => runClient(client, trust));
      programResults.push(...(await Promise.all(some)));
    }
    return programResults;
  };

  /** Starts a stream that stops in the middle until the servers receive SIGUSR2. */
  const startPausedStream = async (
    client: Client,
    name: string,
    trust: Trust,
  ): Promise<RunningProgram> => {
    const stream = start(client, name, trust);
    await Promise.race([world.upstreams.waitForOutput(`holding: ${name}`), rejectOnExit(stream)]);
    await pollUntil(stream.out, (out) => out.length > 0);
    return stream;
  };
  const release = (): boolean => world.upstreams.child.kill('SIGUSR2');

  /**
   * Waits for the redirection. After an agent was killed, its nftables table may exist for a second
   * without the port.
   */
  const waitUntilRedirected = () =>
    pollUntil(world.readNftTable, (table) =>
      ['443 timeout', ...Object.values(internet)].every((element) => table.includes(element)),
    );
  const waitUntilNotRedirected = () => pollUntil(world.readNftTable, (table) => table === '');
  const enableCapture = async (): Promise<void> => {
    await world.setGuardConfig(captureEnabled);
    await waitUntilRedirected();
  };
  /** Disables capture. The nftables table remains for open connections. */
  const disableCapture = async (): Promise<void> => {
    await world.setGuardConfig(captureDisabled);
    await pollUntil(world.readNftTable, (table) => !table.includes(internet.first));
  };

  const captureReads = new Map<string, ReturnType<typeof getCapture>>();
  const getCapture = (id: string) => world.owner.captures.getCapture({ params: { id } });
  /** Captures do not change, so each is read only once. */
  const captures = async (isWanted: (capture: Listed) => boolean = () => true) => {
    const { results } = await world.owner.captures.listCaptures({ query: { limit: 500 } });
    return Promise.all(
      results.filter(isWanted).map(({ id }) => {
        const capture = captureReads.get(id) ?? getCapture(id);
        captureReads.set(id, capture);
        return capture;
      }),
    );
  };
  const capturesOf = async (name: string) =>
    (await captures(({ method }) => method === 'POST')).filter(({ request_body: body }) =>
      body?.includes(`"${name}: `),
    );
  /** Waits for a capture, which is uploaded when the exchange has ended. */
  const waitUntilCaptured = (name: string) =>
    pollUntil(
      () => capturesOf(name),
      (found) => found.length === 1,
    );
  /** Expects a capture. Reports arrive in order, so all earlier ones have arrived as well. */
  const expectCaptured = async (client: Client, name: string): Promise<void> => {
    expect(await start(client, name, 'managed').ended).toMatchObject({ code: 0, err: '' });
    await waitUntilCaptured(name);
  };
  const device = async () => {
    const { results } = await world.owner.devices.listDevices({ query: {} });
    return world.owner.devices.getDevice({ params: { id: results[0]?.id ?? '' } });
  };
  const waitUntilReported = (problem: string) =>
    pollUntil(device, ({ problems }) => problems.some((line) => line.includes(problem)));

  return {
    usedNames,
    start,
    runClient,
    runAllClients,
    startPausedStream,
    release,
    waitUntilRedirected,
    waitUntilNotRedirected,
    enableCapture,
    disableCapture,
    captures,
    capturesOf,
    waitUntilCaptured,
    expectCaptured,
    device,
    waitUntilReported,
  };
}

async function rejectOnExit({ ended }: RunningProgram): Promise<never> {
  throw new Error(`the process exited: ${JSON.stringify(await ended)}`);
}

/** Counts the failures of a client before its first success, up to a maximum. */
export async function countFailuresBeforeSuccess(
  attempt: () => Promise<ProgramResult>,
  maxFailures: number,
): Promise<number> {
  let failures = 0;
  while (failures < maxFailures && (await attempt()).code !== 0) failures += 1;
  return failures;
}
