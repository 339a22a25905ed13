import type { Door, DoorOptions } from './door.ts';
import { openExplicitDoor } from './explicit.ts';
import { openHandedOverDoor } from './handed-over.ts';
import { openProxyMonitorDoor } from './proxy-monitor.ts';

export interface DoorsOptions {
  /** Of the explicit door, on loopback; null: none. */
  proxyPort: number | null;
  /** Where the network extension of macOS finds the agent. */
  socketPath: string;
  /** Where the agent finds the network extension. */
  proxyMonitorPath: string;
  onConnection: DoorOptions['onConnection'];
  onProblem: (door: Door['name'], line: string | null) => void;
}

export type OpenDoors = (options: DoorsOptions) => Promise<Door[]>;

/** The doors of this system. */
export async function openDoors(options: DoorsOptions): Promise<Door[]> {
  const { onConnection, proxyPort } = options;
  const common = (name: Door['name']): DoorOptions => ({
    onConnection,
    onProblem: (line) => options.onProblem(name, line),
  });
  const doors: Door[] = [];
  if (process.platform === 'linux') {
    // It loads a native module that there is on Linux only.
    const { openTransparentDoor } = await import('./transparent-linux.ts');
    doors.push(await openTransparentDoor(common('transparent')));
  }
  if (process.platform === 'darwin') {
    const { socketPath, proxyMonitorPath: path } = options;
    const [ofFlows, ofMonitor] = inOneLine(common('handed-over').onProblem);
    const door = openHandedOverDoor({ onConnection, onProblem: ofFlows, path: socketPath });
    doors.push(openProxyMonitorDoor({ onProblem: ofMonitor, door, socketPath, path }));
  }
  if (proxyPort !== null)
    doors.push(await openExplicitDoor({ ...common('explicit'), port: proxyPort }));
  return doors;
}

/** For two parts of one door: the problem of the first that has one. */
function inOneLine(
  say: DoorOptions['onProblem'],
): [DoorOptions['onProblem'], DoorOptions['onProblem']] {
  const lines: (string | null)[] = [null, null];
  const of = (part: 0 | 1) => (line: string | null) => {
    lines[part] = line;
    say(lines.find((one) => one !== null) ?? null);
  };
  return [of(0), of(1)];
}
