import type { AgentOptions } from '../agent-runtime.ts';
import { startChannel } from './channel.ts';
import {
  type Configuration,
  createConfiguration,
  type ManagedSettings,
} from '../configuration/configuration.ts';
import { type Connection, createConnection } from './connection.ts';
import {
  type ControlPlaneAddresses,
  createControlPlaneAddresses,
} from './control-plane-addresses.ts';
import type { Device } from '../identity/device.ts';
import {
  type EnrollmentLoop,
  hasIdentity,
  startEnrollmentLoop,
} from '../identity/enrollment-loop.ts';
import type { Log } from '../log.ts';
import { createManagedSource, type ManagedChange } from '../configuration/managed-source.ts';
import type { Problems } from '../status/problems.ts';
import { createSignal, type Signal } from '../signal.ts';

export interface ControlPlaneLinkOptions {
  options: AgentOptions;
  device: Device;
  log: Log;
  problems: Problems;
  /** Called when something that the status shows has changed. */
  changed: () => void;
  /** Called with the number of bytes sent. */
  onSent: (bytes: number) => void;
}

/** The device's identity and configuration at its control plane. */
export interface ControlPlaneLink {
  managed: () => ManagedSettings | null;
  addresses: ControlPlaneAddresses;
  connection: Connection;
  configuration: Configuration;
  /** Emits the version of a configuration that was applied. */
  applied: Signal<number>;
  /**
   * Emits when the identity or the address has changed: requests that failed before may succeed
   * now.
   */
  connectionChanged: Signal;
  /** Emits when the control plane has refused the identity, which is removed then. */
  refused: Signal;
  /** Returns whether the channel is open. */
  isConnected: () => boolean;
  /** Returns the time in ms at which the channel was opened; null while it is closed. */
  connectedSince: () => number | null;
  /** Returns whether an administrator must first approve this device. */
  isAwaitingApproval: () => boolean;
  /** Looks up the control plane's addresses again, and enrolls if there is no valid identity. */
  beforeHeartbeat: () => void;
  /** Starts to read the managed preferences, which start everything else. */
  start: () => void;
  /** Stops all changes. The connection stays open for pending reports. */
  stop: () => Promise<void>;
}

/**
 * Enrolls this device according to the managed preferences, and keeps its configuration applied.
 */
export function createControlPlaneLink(deps: ControlPlaneLinkOptions): ControlPlaneLink {
  const { options, device, log, problems } = deps;
  const stopping = new AbortController();
  const signals = createSignals();
  const source = createManagedSource(options.managedPreferences, {
    log,
    problems,
    pollMs: options.preferencesPollMs,
  });
  const parts: Parts = { ...deps, ...connect(deps, source.current, signals, stopping), signals };
  const { managed, addresses, configuration } = parts;
  const { channel, ...presence } = openChannel(parts);
  const { enrollmentLoop, isAwaitingApproval } = enroll(parts);
  const onManaged = followManaged(parts, enrollmentLoop, stopping.signal);
  device.keysUnlocked.subscribe(() => onManaged('address'));
  let preferences: { stop: () => Promise<void> } | null = null;

  return {
    managed,
    addresses,
    connection: parts.connection,
    configuration,
    applied: signals.applied,
    connectionChanged: signals.connectionChanged,
    refused: signals.refused,
    ...presence,
    isAwaitingApproval,
    beforeHeartbeat: () => {
      void refreshAddresses(managed(), addresses);
      if (!hasIdentity(device.credentials)) enrollmentLoop.wake();
    },
    start: () => void (preferences = source.start(onManaged)),
    stop: async () => {
      stopping.abort();
      await preferences?.stop();
      await Promise.all([enrollmentLoop.stop(), channel.stop()]);
      await configuration.whenSettled();
    },
  };
}

interface Signals extends Pick<ControlPlaneLink, 'applied' | 'connectionChanged' | 'refused'> {
  /** Emits when the control plane has accepted this device's identity. */
  accepted: Signal;
}

const createSignals = (): Signals => ({
  accepted: createSignal(),
  refused: createSignal(),
  applied: createSignal<number>(),
  connectionChanged: createSignal(),
});

type Shared = Pick<ControlPlaneLink, 'managed' | 'addresses' | 'connection' | 'configuration'>;

interface Parts extends ControlPlaneLinkOptions, Shared {
  signals: Signals;
}

/** Creates the connection to the control plane, and the configuration received over it. */
function connect(
  { options, device, problems, onSent }: ControlPlaneLinkOptions,
  managed: () => ManagedSettings | null,
  { accepted, refused, applied }: Signals,
  stopping: AbortController,
): Shared {
  const { state, credentials, facts } = device;
  const connection = createConnection({
    managed: () => managed()?.config ?? null,
    credentials,
    trustedRootsFile: options.trustedRootsFile,
    problems,
    onAccepted: accepted.emit,
    onRefused: refused.emit,
    onSent,
  });
  const configuration = createConfiguration({
    managed,
    state,
    facts,
    credentials,
    connection,
    problems,
    signal: stopping.signal,
    onApplied: applied.emit,
  });
  return { managed, addresses: createControlPlaneAddresses(), connection, configuration };
}

/** Opens the channel that delivers configurations, and records when it was opened. */
function openChannel({ options, problems, changed, connection, configuration, signals }: Parts) {
  let connectedSince: number | null = null;
  const channel = startChannel({
    connection,
    problems,
    backoff: options.backoff,
    onConfig: (config) => void configuration.apply(config),
    onConnected: (isConnected) => {
      connectedSince = isConnected ? Date.now() : null;
      changed();
    },
    onRefused: signals.refused.emit,
  });
  signals.applied.subscribe(channel.acknowledge);
  signals.connectionChanged.subscribe(channel.restart);
  return {
    channel,
    isConnected: () => connectedSince !== null,
    connectedSince: () => connectedSince,
  };
}

/**
 * Obtains an identity and keeps it valid; an administrator may have to approve the device first.
 */
function enroll(parts: Parts): {
  enrollmentLoop: EnrollmentLoop;
  isAwaitingApproval: () => boolean;
} {
  const { options, device, log, problems, changed, signals } = parts;
  const { state, credentials, facts } = device;
  let isAwaiting = false;
  const enrollmentLoop = startEnrollmentLoop({
    facts,
    credentials,
    connection: parts.connection,
    configuration: parts.configuration,
    problems,
    backoff: options.backoff,
    isReady: () => parts.managed() !== null && !credentials.areLocked(),
    onWaiting: (isWaiting) => {
      if (isWaiting === isAwaiting) return;
      if (isWaiting) log.info('this device waits for approval by an administrator');
      isAwaiting = isWaiting;
      changed();
    },
    onEnrolled: () => {
      log.info(`enrolled as ${state.read().device_id}`);
      signals.connectionChanged.emit();
    },
  });
  signals.accepted.subscribe(enrollmentLoop.handleAcceptance);
  signals.refused.subscribe(enrollmentLoop.handleRefusal);
  return { enrollmentLoop, isAwaitingApproval: () => isAwaiting };
}

/** Creates the function that applies a change of the managed preferences. */
const followManaged =
  (
    { managed, addresses, configuration, signals }: Parts,
    enrollmentLoop: EnrollmentLoop,
    stopped: AbortSignal,
  ) =>
  (change: ManagedChange): void => {
    void configuration.narrow();
    if (change === 'limits') return;
    // The flow observer must know the control plane's addresses before its first poll.
    void refreshAddresses(managed(), addresses).then(() => {
      if (stopped.aborted) return;
      enrollmentLoop.runNow();
      signals.connectionChanged.emit();
    });
  };

/** Resolves the addresses of the control plane that the managed preferences name, if any. */
async function refreshAddresses(
  managed: ManagedSettings | null,
  addresses: ControlPlaneAddresses,
): Promise<void> {
  if (managed) await addresses.refresh(managed.config.api_url);
}
