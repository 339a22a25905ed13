import { oneLine } from '#lib/one-line.ts';
import type { CaptureListener, CaptureListenerOptions } from './capture-listener.ts';
import type { OnSearchFailure } from './search-failure.ts';
import { openExplicitProxy } from './explicit-proxy.ts';
import { openHandedOverListener } from './handed-over.ts';
import { openProxyMonitor } from './proxy-monitor.ts';
import type { TransparentProxyOptions } from './transparent-linux.ts';

export interface OpenListenersOptions {
  /** The port of the explicit proxy, on loopback; null: no proxy. */
  proxyPort: number | null;
  /** The socket at which the macOS network extension connects to the agent. */
  socketPath: string;
  /** The socket at which the agent connects to the network extension. */
  proxyMonitorPath: string;
  onConnection: CaptureListenerOptions['onConnection'];
  onProblem: (listener: CaptureListener['name'], line: string | null) => void;
  onSearchFailure: OnSearchFailure;
  onProbe: TransparentProxyOptions['onProbe'];
}

export type OpenListeners = (options: OpenListenersOptions) => Promise<CaptureListener[]>;

/**
 * Opens the capture listeners of this system. A listener that cannot be opened, for example because
 * its native module cannot be loaded, is reported and left out.
 */
export async function openListeners(options: OpenListenersOptions): Promise<CaptureListener[]> {
  const { onConnection, onSearchFailure, onProbe, proxyPort } = options;
  const common = (name: CaptureListener['name']): CaptureListenerOptions => ({
    onConnection,
    onSearchFailure,
    onProblem: (line) => options.onProblem(name, line),
  });
  const listeners: CaptureListener[] = [];
  const add = async (
    name: CaptureListener['name'],
    open: (common: CaptureListenerOptions) => Promise<CaptureListener>,
  ): Promise<void> => {
    try {
      listeners.push(await open(common(name)));
    } catch (error) {
      options.onProblem(name, oneLine((error as Error).message));
    }
  };
  if (process.platform === 'linux')
    await add('transparent', async (commonOptions) => {
      // This module loads a native module that exists on Linux only.
      const { openTransparentProxy } = await import('./transparent-linux.ts');
      return openTransparentProxy({ ...commonOptions, onProbe });
    });
  if (process.platform === 'darwin') {
    const { socketPath, proxyMonitorPath: path } = options;
    const [reportFlows, reportMonitor] = mergeProblems(common('handed-over').onProblem);
    const listener = openHandedOverListener({
      onConnection,
      onProblem: reportFlows,
      path: socketPath,
    });
    listeners.push(openProxyMonitor({ onProblem: reportMonitor, listener, socketPath, path }));
  }
  if (proxyPort !== null)
    await add('explicit', (commonOptions) =>
      openExplicitProxy({ ...commonOptions, port: proxyPort }),
    );
  return listeners;
}

/**
 * Merges the problems of two parts of one listener: reports the first part's problem, else the
 * second's.
 */
function mergeProblems(
  report: CaptureListenerOptions['onProblem'],
): [CaptureListenerOptions['onProblem'], CaptureListenerOptions['onProblem']] {
  const lines: (string | null)[] = [null, null];
  const reporterOf = (part: 0 | 1) => (line: string | null) => {
    lines[part] = line;
    report(lines.find((one) => one !== null) ?? null);
  };
  return [reporterOf(0), reporterOf(1)];
}
