import { join } from 'node:path';
import { type AgentStatus, rememberFlow } from '#agent/core/status.ts';
import type { FlowReport } from '#contract/fleet.ts';
import type { AgentOptions, AgentRuntime } from './agent-runtime.ts';
import { createAnnouncer } from './announcer.ts';
import { startChannel } from './channel.ts';
import { createConfiguration } from './configuration.ts';
import { createConnection } from './connection.ts';
import { createControlPlaneAddresses } from './control-plane-addresses.ts';
import { openCredentials } from './credentials.ts';
import { describeAgent, type Seen } from './describe-agent.ts';
import { agentVersion, readDeviceFacts } from './device-facts.ts';
import { hasIdentity, startEnrolling } from './enrolling.ts';
import { boundProblems, endedByHeartbeat, startHeartbeat } from './heartbeat.ts';
import { findHomes } from './inventory/homes.ts';
import { scanInventory } from './inventory/scan.ts';
import { startInventoryReports } from './inventory-reports.ts';
import type { Log } from './log.ts';
import type { Loop } from './loop.ts';
import { createManagedSource, type ManagedChange } from './managed-source.ts';
import { startObservation } from './observation.ts';
import { createProblems } from './problems.ts';
import { openSpool } from './spool.ts';
import { openState } from './state.ts';
import { startUploader } from './uploader.ts';

/** Builds the parts of the agent and ties each to what happens in the others. */
export async function wireAgent(options: AgentOptions, log: Log): Promise<AgentRuntime> {
  const { stateDir, backoff } = options;
  const stopping = new AbortController();
  const seen: Seen = { apps: [], flows: [], uploaded: 0, connected: false, waiting: false };
  const announcer = createAnnouncer((): AgentStatus => status());
  const problems = createProblems(log, announcer.changed);

  // On disk.
  const damaged: string[] = [];
  const state = openState(stateDir);
  const credentials = openCredentials(stateDir, (line) => void damaged.push(line));
  if (state.problem !== null) {
    damaged.push(state.problem);
    credentials.forget('identity');
  }
  problems.set('state', damaged);
  const facts = await readDeviceFacts(stateDir, options.hardwareId);
  let uploader: Loop | null = null;
  const spool = openSpool({
    dir: join(stateDir, 'spool'),
    openMs: options.flowUploadSeconds * 1000,
    onSealed: () => uploader?.wake(),
    onDropped: state.countDropped,
    onProblem: (line) => problems.set('spool', [line]),
  });

  // To and from the control plane.
  const source = createManagedSource(options.managedPreferences, {
    log,
    problems,
    lookMs: options.preferencesLookMs,
  });
  const managed = source.current;
  const addresses = createControlPlaneAddresses();
  const connection = createConnection({
    managed: () => managed()?.config ?? null,
    credentials,
    trustedRootsFile: options.trustedRootsFile,
    problems,
    onAccepted: () => enrolling.accepted(),
    onRefused: () => enrolling.refused(),
  });
  const configuration = createConfiguration({
    managed,
    state,
    credentials,
    connection,
    problems,
    signal: stopping.signal,
    onApplied: (version) => {
      log.debug(`configuration ${version} is in force`);
      channel.acknowledge(version);
      problems.set('state');
      announcer.changed();
    },
  });
  const channel = startChannel({
    connection,
    problems,
    backoff,
    onConfig: (config) => void configuration.apply(config),
    onConnected: (connected) => {
      seen.connected = connected;
      announcer.changed();
    },
    onRefused: () => enrolling.refused(),
  });
  const enrolling = startEnrolling({
    facts,
    credentials,
    connection,
    configuration,
    problems,
    backoff,
    ready: () => managed() !== null,
    onWaiting: (waiting) => {
      if (waiting === seen.waiting) return;
      if (waiting) log.info('this device waits for approval by an administrator');
      seen.waiting = waiting;
      announcer.changed();
    },
    onEnrolled: () => {
      log.info(`enrolled as ${state.read().device_id}`);
      resume();
    },
  });
  const heartbeat = startHeartbeat({
    everyMs: options.heartbeatSeconds * 1000,
    connection,
    body: () => ({
      agent_version: agentVersion,
      applied_version: configuration.inForce()?.version ?? 0,
      queued: spool.queued(),
      dropped: state.read().dropped,
      problems: boundProblems(problems.list(endedByHeartbeat)),
    }),
    onBeat: () => {
      const address = managed()?.config.api_url;
      if (address !== undefined) void addresses.look(address);
      if (!hasIdentity(credentials)) enrolling.wake();
    },
    onVersion: configuration.catchUp,
  });

  // From this machine.
  const isManaged = (): boolean => managed() !== null && state.read().device_id !== null;
  const keep = (report: FlowReport): void => {
    if (spool.append(report)) problems.set('spool');
    seen.flows = rememberFlow(seen.flows, report);
    announcer.changed();
  };
  const observation = startObservation({
    stateFile: join(stateDir, 'open-flows.json'),
    wanted: isManaged,
    addresses,
    problems,
    onReport: keep,
    observe: options.observe,
  });
  const inventory = startInventoryReports({
    scan: options.scan ?? scanThisMachine,
    everyMs: options.inventorySeconds * 1000,
    ready: isManaged,
    connection,
    problems,
    backoff,
    onScanned: (apps) => {
      seen.apps = apps;
      announcer.changed();
    },
  });
  uploader = startUploader({
    spool,
    connection,
    backoff,
    onUploaded: (reports) => {
      seen.uploaded += reports;
      announcer.changed();
    },
    onRejected: log.error,
  });

  const status = (): AgentStatus =>
    describeAgent({
      managed: managed(),
      state,
      credentials,
      configuration,
      spool,
      observation,
      problems,
      seen,
    });

  /** Everything that waits for an identity or an address goes on. */
  const resume = (): void => {
    channel.restart();
    heartbeat.hurry();
    uploader?.hurry();
    inventory.hurry();
    observation.check();
    announcer.changed();
  };
  const onManaged = (change: ManagedChange): void => {
    void configuration.narrow();
    if (change === 'limits') return;
    const address = managed()?.config.api_url;
    const found = address === undefined ? Promise.resolve() : addresses.look(address);
    // The observer must know the control plane's addresses before its first look.
    void found.then(() => {
      if (stopping.signal.aborted) return;
      enrolling.hurry();
      resume();
    });
  };
  const preferences = source.start(onManaged);

  return {
    status,
    onStatus: announcer.listen,
    stop: async () => {
      stopping.abort();
      await preferences.stop();
      await observation.stop();
      const loops = [enrolling, heartbeat, inventory, channel, uploader];
      await Promise.all(loops.map((loop) => loop?.stop()));
      await configuration.settled();
      spool.close();
      connection.close();
    },
  };
}

const scanThisMachine = async (signal: AbortSignal): ReturnType<typeof scanInventory> =>
  scanInventory({ homes: await findHomes(), signal });
