import type { Door, DoorOptions } from './door.ts';
import { openExplicitDoor } from './explicit.ts';
import { openHandedOverDoor } from './handed-over.ts';

export interface DoorsOptions {
  /** Of the explicit door, on loopback; null: none. */
  proxyPort: number | null;
  /** Where the network extension of macOS finds the agent. */
  socketPath: string;
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
  if (process.platform === 'darwin')
    doors.push(openHandedOverDoor({ ...common('handed-over'), path: options.socketPath }));
  if (proxyPort !== null)
    doors.push(await openExplicitDoor({ ...common('explicit'), port: proxyPort }));
  return doors;
}
