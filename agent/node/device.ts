import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentOptions } from './agent-runtime.ts';
import { type Credentials, openCredentials } from './credentials.ts';
import { type DeviceFacts, readDeviceFacts } from './device-facts.ts';
import type { Problems } from './problems.ts';
import { type DeviceState, openState } from './state.ts';
import { stateEntries, type StateEntry } from './state-folder.ts';

/** The data that this device stores about itself, in its state folder. */
export interface Device {
  facts: DeviceFacts;
  state: DeviceState;
  credentials: Credentials;
  /** Returns the path of an entry of the state folder. */
  file: (name: StateEntry) => string;
}

/** Entries with observations that are not uploaded yet. */
const observationEntries = [
  stateEntries.flowSpool,
  stateEntries.captureSpool,
  stateEntries.openFlows,
  stateEntries.toolCalls,
];

/** Opens the state folder. Damaged files in it are set aside and become a problem. */
export async function openDevice(options: AgentOptions, problems: Problems): Promise<Device> {
  const { stateDir } = options;
  const damaged: string[] = [];
  const state = openState(stateDir);
  const credentials = openCredentials(stateDir, (line) => void damaged.push(line));
  if (state.error !== null) {
    damaged.push(state.error);
    // An identity without its record could belong to another device.
    credentials.remove('identity');
  }
  const facts = await readDeviceFacts(stateDir, options.hardwareId);
  const device = { facts, state, credentials, file: (name: StateEntry) => join(stateDir, name) };
  if (isFromAnotherComputer(device)) {
    discardIdentity(device);
    damaged.push(
      'the state folder belongs to another computer (its hardware id differs): this computer enrolls as a new device',
    );
  }
  problems.set('state', damaged);
  return device;
}

/**
 * Returns whether the state is from another computer: a folder copied with a disk image contains
 * the identity of that computer.
 */
function isFromAnotherComputer({ state, facts }: Device): boolean {
  const { device_id, hardware_id } = state.read();
  if (device_id === null) return false;
  if (hardware_id === null) state.update({ hardware_id: facts.hardware_id });
  return hardware_id !== null && hardware_id !== facts.hardware_id;
}

/**
 * Discards the identity, because two computers must not share one. The other computer uploads its
 * own observations.
 */
function discardIdentity({ state, credentials, file }: Device): void {
  credentials.removeAll();
  for (const name of observationEntries) rmSync(file(name), { recursive: true, force: true });
  state.reset();
}
