import { join } from 'node:path';
import { hostsToTake } from '#agent/core/capture/decision.ts';
import type { DeviceConfig } from '#contract/device.ts';
import type { AgentOptions } from '../agent-runtime.ts';
import type { Device } from '../device.ts';
import { exactHosts } from '../flows/catalog.ts';
import type { OnResolved } from '../flows/source/source.ts';
import { startLoop } from '../loop.ts';
import type { Problems } from '../problems.ts';
import { stateEntries } from '../state-folder.ts';
import type { Door } from './doors/door.ts';
import { openDoors } from './doors/doors.ts';
import type { Interceptor } from './interceptor.ts';

export interface CaptureDoorsOptions {
  options: AgentOptions;
  device: Device;
  problems: Problems;
  config: () => DeviceConfig;
  interceptor: Pick<Interceptor, 'check' | 'take'>;
}

/** The doors of this machine, open while any host is captured or blocked. */
export interface CaptureDoors {
  /** Applies the hosts of the current configuration to the doors. */
  update: () => void;
  names: () => Door['name'][];
  learn: OnResolved;
  stop: () => Promise<void>;
}

export function startCaptureDoors(given: CaptureDoorsOptions): CaptureDoors {
  const { options, device, problems, config, interceptor } = given;
  let doors: Door[] | null = null;
  const open = (): Promise<Door[]> =>
    (options.openDoors ?? openDoors)({
      proxyPort: options.proxyPort,
      socketPath: device.file(stateEntries.captureSocket),
      proxyMonitorPath: join(options.extensionFolder, 'proxymonitor.sock'),
      onConnection: interceptor.take,
      onProblem: (door, line) => problems.set(`capture (${door})`, line === null ? [] : [line]),
    });
  const updating = startLoop(async () => {
    const hosts = hostsToTake(config(), exactHosts());
    interceptor.check();
    if (hosts.length > 0) doors ??= await open();
    await Promise.all((doors ?? []).map((door) => door.setHosts(hosts)));
    return null;
  });
  return {
    update: updating.wake,
    names: () => (doors ?? []).map(({ name }) => name),
    learn: (...answer) => doors?.forEach((door) => door.learn?.(...answer)),
    stop: async () => {
      await updating.stop();
      await Promise.all((doors ?? []).map((door) => door.close()));
    },
  };
}
