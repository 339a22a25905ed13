import { join } from 'node:path';
import type { AgentOptions } from './agent-runtime.ts';
import { type Credentials, openCredentials } from './credentials.ts';
import { type DeviceFacts, readDeviceFacts } from './device-facts.ts';
import type { Problems } from './problems.ts';
import { type DeviceState, openState } from './state.ts';

/** What this device knows about itself, in its state folder. */
export interface Device {
  facts: DeviceFacts;
  state: DeviceState;
  credentials: Credentials;
  /** The path of a file in the state folder. */
  file: (name: string) => string;
}

/** Opens the state folder. What is damaged in it is set aside and becomes a problem. */
export async function openDevice(options: AgentOptions, problems: Problems): Promise<Device> {
  const { stateDir } = options;
  const damaged: string[] = [];
  const state = openState(stateDir);
  const credentials = openCredentials(stateDir, (line) => void damaged.push(line));
  if (state.problem !== null) {
    damaged.push(state.problem);
    // An identity without its record could be that of another device.
    credentials.forget('identity');
  }
  problems.set('state', damaged);
  const facts = await readDeviceFacts(stateDir, options.hardwareId);
  return { facts, state, credentials, file: (name) => join(stateDir, name) };
}
