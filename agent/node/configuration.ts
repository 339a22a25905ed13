import { describeDroppedHosts, narrowConfig, withoutCapture } from '#agent/core/narrow-config.ts';
import { renewalTime } from '#agent/core/renewal-time.ts';
import type { ManagedConfig } from '#contract/deployment.ts';
import { deviceConfig, type DeviceConfig, type Enrollment } from '#contract/device.ts';
import type { Connection } from './connection.ts';
import type { Credentials } from './credentials.ts';
import type { DeviceFacts } from './device-facts.ts';
import { renew } from './enrollment.ts';
import { captureHosts, coversHosts, sameHosts } from './issued-certificates.ts';
import type { Problems } from './problems.ts';
import type { DeviceState } from './state.ts';

export interface Managed {
  config: ManagedConfig;
  problems: string[];
}

export interface ConfigurationOptions {
  managed: () => Managed | null;
  state: DeviceState;
  facts: Pick<DeviceFacts, 'hardware_id'>;
  credentials: Credentials;
  connection: Connection;
  problems: Problems;
  /** Ends requests under way when the agent stops. */
  signal: AbortSignal;
  /** This version is now in force. */
  onApplied: (version: number) => void;
}

export interface Configuration {
  /** What is in force: what the service allows, narrowed on this device. Null before the first. */
  inForce: () => DeviceConfig | null;
  /** Puts what the service sent into force. */
  apply: (config: DeviceConfig) => Promise<void>;
  /** Takes over what an enrollment brought. */
  adopt: (issued: Enrollment) => Promise<void>;
  /** Narrows again, after the managed configuration has changed. */
  narrow: () => Promise<void>;
  /** Renews the certificates if it is time, and fetches what is not in force yet. */
  catchUp: (version: number) => Promise<void>;
  /** Resolves once nothing is being put into force any more. */
  settled: () => Promise<void>;
}

/**
 * Puts configurations into force, one at a time and in the order they came. A configuration is in
 * force once the certificates fit it and it is on disk; if they cannot be had, the earlier one
 * stays, and no version is acknowledged.
 */
export function createConfiguration(options: ConfigurationOptions): Configuration {
  const { managed, state, credentials, connection, problems, signal } = options;
  let queue: Promise<void> = Promise.resolve();
  const stored = state.read().config;
  let effective = stored && narrow(stored, managed());
  // An earlier version of the agent stored no masking: fetch the configuration again.
  let behind = stored !== null && stored.masking === undefined;
  if (stored) problems.set('guard', describeDroppedHosts(stored));

  const inTurn = (work: () => Promise<void> | void): Promise<void> => {
    queue = queue.then(work).then(
      () => problems.set('configuration'),
      (error: Error) =>
        problems.set('configuration', [`cannot be put into force: ${error.message}`]),
    );
    return queue;
  };

  const putIntoForce = (config: DeviceConfig): void => {
    const now = narrow(config, managed());
    problems.set('guard', describeDroppedHosts(config));
    if (captureHosts(now).length === 0) credentials.forget('intermediate');
    state.update({ config });
    effective = now;
    behind = false;
    options.onApplied(config.version);
  };

  const adopt = (issued: Enrollment): void => {
    credentials.store(issued);
    const { device_id, dropped } = state.read();
    const same = device_id === issued.device_id;
    const { hardware_id } = options.facts;
    state.update({ device_id: issued.device_id, hardware_id, dropped: same ? dropped : 0 });
    putIntoForce(issued.config);
  };

  const renewNow = async (): Promise<void> => {
    const deviceId = credentials.get('identity')?.deviceId;
    if (!deviceId) return;
    const got = await connection.ask('renewal', signal, (device) =>
      renew(device, credentials, deviceId, signal),
    );
    if ('answer' in got) adopt(got.answer);
  };

  const apply = async (config: DeviceConfig): Promise<void> => {
    behind = true;
    const wanted = captureHosts(narrow(config, managed())).length > 0 ? captureHosts(config) : [];
    const kept = credentials.get('intermediate');
    const permitted = kept && kept.notAfter > Date.now() ? kept.permittedHosts : [];
    if (wanted.length === 0 || sameHosts(wanted, permitted)) return putIntoForce(config);
    // Removed hosts are switched off now; the narrower intermediate is requested below.
    if (coversHosts(permitted, wanted)) {
      putIntoForce(config);
      behind = true;
    }
    // Renewing brings the configuration that the certificates are for.
    await renewNow();
  };

  const catchUp = async (version: number): Promise<void> => {
    const identity = credentials.get('identity');
    if (identity && renewalTime(identity) <= Date.now()) await renewNow();
    if (!behind && effective?.version === version) return;
    const got = await connection.ask('configuration', signal, async (device) =>
      deviceConfig.parse(await device.getConfig(undefined, { signal })),
    );
    if ('answer' in got) await apply(got.answer);
  };

  return {
    inForce: () => effective,
    apply: (config) => inTurn(() => apply(config)),
    adopt: (issued) => inTurn(() => adopt(issued)),
    narrow: () =>
      inTurn(async () => {
        const { config } = state.read();
        if (config) await apply(config);
      }),
    catchUp: (version) => inTurn(() => catchUp(version)),
    settled: () => queue,
  };
}

/** Without a managed configuration capture is off, because its limits are unknown. */
function narrow(config: DeviceConfig, managed: Managed | null): DeviceConfig {
  if (managed) return narrowConfig(config, managed.config, managed.problems);
  return withoutCapture(config);
}
