import { join } from 'node:path';
import { hostsToDivert } from '#agent/core/capture/connection-decision.ts';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import type { AgentOptions } from '../agent-runtime.ts';
import type { Device } from '../identity/device.ts';
import { catalogHosts } from '../flows/host-names.ts';
import type { OnResolved } from '../flows/source/flow-source.ts';
import { startLoop } from '#lib/loop.ts';
import type { Log } from '../log.ts';
import type { Problems } from '../status/problems.ts';
import { stateEntries } from '../state/state-folder.ts';
import type { CaptureListener, RedirectedSocket } from './listeners/capture-listener.ts';
import { openListeners } from './listeners/open-listeners.ts';
import type { Interceptor } from './interceptor.ts';
import { logHourly } from './notices.ts';

export interface CaptureListenersOptions {
  options: AgentOptions;
  device: Device;
  log: Pick<Log, 'warn'>;
  problems: Problems;
  config: () => DeviceConfig;
  interceptor: Pick<Interceptor, 'applyConfig' | 'handle'>;
  /** Called with the listeners' own connections that the kernel redirects. */
  onProbe: (socket: RedirectedSocket) => void;
}

/** The capture listeners of this machine, open while any host is captured or blocked. */
export interface CaptureListeners {
  /** Applies the hosts of the current configuration to the listeners. */
  update: () => void;
  names: () => CaptureListener['name'][];
  addResolved: OnResolved;
  stop: () => Promise<void>;
}

export function startCaptureListeners(deps: CaptureListenersOptions): CaptureListeners {
  const { options, device, log, problems, config, interceptor, onProbe } = deps;
  const onSearchFailure = logHourly((line) => log.warn(`capture: ${line}`));
  let listeners: CaptureListener[] | null = null;
  const open = (): Promise<CaptureListener[]> =>
    (options.openListeners ?? openListeners)({
      proxyPort: options.proxyPort,
      socketPath: device.file(stateEntries.captureSocket),
      proxyMonitorPath: join(options.extensionFolder, 'proxymonitor.sock'),
      onConnection: interceptor.handle,
      onProbe,
      onSearchFailure,
      onProblem: (listener, line) =>
        problems.set(`capture (${listener})`, line === null ? [] : [line]),
    });
  const updateLoop = startLoop(async () => {
    const hosts = hostsToDivert(config(), catalogHosts());
    interceptor.applyConfig();
    if (hosts.length > 0) listeners ??= await open();
    await Promise.all((listeners ?? []).map((listener) => listener.setHosts(hosts)));
    return null;
  });
  return {
    update: updateLoop.wake,
    names: () => (listeners ?? []).map(({ name }) => name),
    addResolved: (...answer) => listeners?.forEach((listener) => listener.addResolved?.(...answer)),
    stop: async () => {
      await updateLoop.stop();
      await Promise.all((listeners ?? []).map((listener) => listener.close()));
    },
  };
}
