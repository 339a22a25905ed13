import { describeDroppedHosts, narrowConfig, withoutCapture } from '#agent/core/narrow-config.ts';
import { renewalTime } from '#agent/core/renewal-time.ts';
import type { ManagedConfig } from '#contract/deployment.ts';
import { deviceConfig, type DeviceConfig, type Enrollment } from '#contract/device-protocol.ts';
import type { DeviceFacts } from '../identity/device-facts.ts';
import { captureHosts, permitsHosts, areSameHosts } from '../identity/issued-certificates.ts';
import type { Problems } from '../status/problems.ts';
import { renewCertificates, type RenewalOptions } from '../identity/renewal.ts';
import type { DeviceState } from '../state/state.ts';

export interface ManagedSettings {
  config: ManagedConfig;
  problems: string[];
}

export interface ConfigurationOptions extends RenewalOptions {
  managed: () => ManagedSettings | null;
  state: DeviceState;
  facts: Pick<DeviceFacts, 'hardware_id'>;
  problems: Problems;
  /** Called when this version has come into force. */
  onApplied: (version: number) => void;
}

export interface Configuration {
  /**
   * Returns the applied configuration: the control plane's, narrowed on this device. Null before
   * the first one.
   */
  effective: () => DeviceConfig | null;
  /** Applies a configuration of the control plane. */
  apply: (config: DeviceConfig) => Promise<void>;
  /** Applies the result of an enrollment. */
  adopt: (issued: Enrollment) => Promise<void>;
  /** Narrows again after a change of the managed configuration. */
  narrow: () => Promise<void>;
  /**
   * Renews the certificates if due, and fetches the configuration if this version is not applied
   * yet.
   */
  sync: (version: number) => Promise<void>;
  /** Resolves once no configuration is being applied. */
  whenSettled: () => Promise<void>;
}

/**
 * Applies configurations one at a time, in the order of arrival. A configuration is applied once
 * matching certificates exist. Without them the earlier one stays, and no version is acknowledged.
 * One that cannot be stored is applied all the same, because it may switch capture off.
 */
export function createConfiguration(options: ConfigurationOptions): Configuration {
  const { managed, state, credentials, connection, problems, signal } = options;
  let queue: Promise<void> = Promise.resolve();
  const stored = state.read().config;
  let effective = stored && narrow(stored, managed());
  // An earlier version of the agent stored no masking, so the configuration must be fetched again.
  let isStale = stored !== null && stored.masking === undefined;
  if (stored) problems.set('guard', describeDroppedHosts(stored));

  const enqueue = (work: () => Promise<void> | void): Promise<void> => {
    queue = queue.then(work).then(
      () => problems.set('configuration'),
      (error: Error) => problems.set('configuration', [`cannot be applied: ${error.message}`]),
    );
    return queue;
  };

  const putInForce = (config: DeviceConfig): void => {
    const narrowed = narrow(config, managed());
    problems.set('guard', describeDroppedHosts(config));
    effective = narrowed;
    try {
      if (captureHosts(narrowed).length === 0) credentials.remove('intermediate');
    } finally {
      const failure = state.tryUpdate({ config });
      // If it could not be stored, the next heartbeat tries again.
      isStale = failure !== null;
      options.onApplied(config.version);
      if (failure !== null) problems.set('state', [`the configuration is not stored: ${failure}`]);
    }
  };

  const adopt = (issued: Enrollment): void => {
    credentials.store(issued);
    const { device_id, dropped } = state.read();
    const isSameDevice = device_id === issued.device_id;
    const { hardware_id } = options.facts;
    state.update({ device_id: issued.device_id, hardware_id, dropped: isSameDevice ? dropped : 0 });
    putInForce(issued.config);
  };

  const renewAndAdopt = async (): Promise<void> => {
    const issued = await renewCertificates(options);
    if (issued) adopt(issued);
  };

  const apply = async (config: DeviceConfig): Promise<void> => {
    isStale = true;
    const requiredHosts =
      captureHosts(narrow(config, managed())).length > 0 ? captureHosts(config) : [];
    const intermediate = credentials.get('intermediate');
    const permittedHosts =
      intermediate && intermediate.notAfter > Date.now() ? intermediate.permittedHosts : [];
    if (requiredHosts.length === 0 || areSameHosts(requiredHosts, permittedHosts))
      return putInForce(config);
    // The current intermediate permits all required hosts, and others: the configuration only removes
    // hosts. It takes effect before the renewal, so that the removed hosts are no longer captured.
    if (permitsHosts(permittedHosts, requiredHosts)) {
      putInForce(config);
      isStale = true;
    }
    // The response of a renewal includes the configuration that the certificates match.
    await renewAndAdopt();
  };

  const sync = async (version: number): Promise<void> => {
    const identity = credentials.get('identity');
    if (identity && renewalTime(identity) <= Date.now()) await renewAndAdopt();
    if (!isStale && effective?.version === version) return;
    const result = await connection.request('configuration', signal, async (device) =>
      deviceConfig.parse(await device.getConfig(undefined, { signal })),
    );
    if (result.kind === 'answered') await apply(result.response);
  };

  return {
    effective: () => effective,
    apply: (config) => enqueue(() => apply(config)),
    adopt: (issued) => enqueue(() => adopt(issued)),
    narrow: () =>
      enqueue(async () => {
        const { config } = state.read();
        if (config) await apply(config);
      }),
    sync: (version) => enqueue(() => sync(version)),
    whenSettled: () => queue,
  };
}

/**
 * Narrows a configuration. Without a managed configuration capture is off, because its limits are
 * unknown.
 */
function narrow(config: DeviceConfig, managed: ManagedSettings | null): DeviceConfig {
  if (managed) return narrowConfig(config, managed.config, managed.problems);
  return withoutCapture(config);
}
