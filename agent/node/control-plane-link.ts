import type { AgentOptions } from './agent-runtime.ts';
import { startChannel } from './channel.ts';
import { type Configuration, createConfiguration, type Managed } from './configuration.ts';
import { type Connection, createConnection } from './connection.ts';
import {
  type ControlPlaneAddresses,
  createControlPlaneAddresses,
} from './control-plane-addresses.ts';
import type { Device } from './device.ts';
import { hasIdentity, startEnrolling } from './enrolling.ts';
import type { Log } from './log.ts';
import { createManagedSource, type ManagedChange } from './managed-source.ts';
import type { Problems } from './problems.ts';
import { createSignal, type Signal } from './signal.ts';

export interface ControlPlaneLinkOptions {
  options: AgentOptions;
  device: Device;
  log: Log;
  problems: Problems;
  /** Something that the status shows has changed. */
  changed: () => void;
  /** So many bytes left this machine. */
  onSent: (bytes: number) => void;
}

/** The device's identity and configuration at its control plane. */
export interface ControlPlaneLink {
  managed: () => Managed | null;
  addresses: ControlPlaneAddresses;
  connection: Connection;
  configuration: Configuration;
  /** A configuration came into force; its version. */
  applied: Signal<number>;
  /** There is a new identity or address: what failed before may work now. */
  resumed: Signal;
  /** Is the channel open? */
  connected: () => boolean;
  /** Since when it is, in ms; null while it is closed. */
  connectedSince: () => number | null;
  /** Does an administrator have to approve this device first? */
  waiting: () => boolean;
  /** Looks up the control plane's addresses again, and enrolls if there is no valid identity. */
  beforeHeartbeat: () => void;
  /** Begins to read the managed preferences, and with them everything else. */
  start: () => void;
  /** Changes nothing any more. The connection stays open for reports that are under way. */
  stop: () => Promise<void>;
}

/** Enrolls this device where the managed preferences say, and keeps its configuration in force. */
export function createControlPlaneLink(given: ControlPlaneLinkOptions): ControlPlaneLink {
  const { options, device, log, problems, changed } = given;
  const { state, credentials, facts } = device;
  const { backoff } = options;
  const stopping = new AbortController();
  const accepted = createSignal();
  const refused = createSignal();
  const applied = createSignal<number>();
  const resumed = createSignal();
  let connectedSince: number | null = null;
  let waiting = false;

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
    onAccepted: accepted.send,
    onRefused: refused.send,
    onSent: given.onSent,
  });

  const configuration = createConfiguration({
    managed,
    state,
    facts,
    credentials,
    connection,
    problems,
    signal: stopping.signal,
    onApplied: applied.send,
  });
  const channel = startChannel({
    connection,
    problems,
    backoff,
    onConfig: (config) => void configuration.apply(config),
    onConnected: (now) => {
      connectedSince = now ? Date.now() : null;
      changed();
    },
    onRefused: refused.send,
  });
  applied.subscribe(channel.acknowledge);
  resumed.subscribe(channel.restart);

  const enrolling = startEnrolling({
    facts,
    credentials,
    connection,
    configuration,
    problems,
    backoff,
    ready: () => managed() !== null,
    onWaiting: (now) => {
      if (now === waiting) return;
      if (now) log.info('this device waits for approval by an administrator');
      waiting = now;
      changed();
    },
    onEnrolled: () => {
      log.info(`enrolled as ${state.read().device_id}`);
      resumed.send();
    },
  });
  accepted.subscribe(enrolling.accepted);
  refused.subscribe(enrolling.refused);

  const onManaged = (change: ManagedChange): void => {
    void configuration.narrow();
    if (change === 'limits') return;
    // The flow observer must know the control plane's addresses before its first look.
    void lookUp(managed(), addresses).then(() => {
      if (stopping.signal.aborted) return;
      enrolling.runNow();
      resumed.send();
    });
  };
  let preferences: { stop: () => Promise<void> } | null = null;

  return {
    managed,
    addresses,
    connection,
    configuration,
    applied,
    resumed,
    connected: () => connectedSince !== null,
    connectedSince: () => connectedSince,
    waiting: () => waiting,
    beforeHeartbeat: () => {
      void lookUp(managed(), addresses);
      if (!hasIdentity(credentials)) enrolling.wake();
    },
    start: () => void (preferences = source.start(onManaged)),
    stop: async () => {
      stopping.abort();
      await preferences?.stop();
      await Promise.all([enrolling.stop(), channel.stop()]);
      await configuration.settled();
    },
  };
}

/** Finds the addresses of the control plane that the managed preferences name, if they do. */
async function lookUp(managed: Managed | null, addresses: ControlPlaneAddresses): Promise<void> {
  if (managed) await addresses.look(managed.config.api_url);
}
