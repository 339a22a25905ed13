import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyBindingStatus } from '#agent/core/doctor/agent-report.ts';
import type { AgentOptions } from '../agent-runtime.ts';
import { type Credentials, openCredentials } from './credentials.ts';
import { type DeviceFacts, readDeviceFacts } from './device-facts.ts';
import { createKeyBinding, type KeyBinding } from '../device-keys/key-binding.ts';
import { openKeyFiles } from '../device-keys/key-files.ts';
import { createTpmSealer } from '../device-keys/tpm-sealer.ts';
import type { Log } from '../log.ts';
import type { Problems } from '../status/problems.ts';
import { type DeviceState, openState } from '../state/state.ts';
import { createSignal, type Signal } from '../signal.ts';
import { stateEntries, type StateEntry } from '../state/state-folder.ts';

/** The data that this device stores about itself, in its state folder. */
export interface Device {
  facts: DeviceFacts;
  state: DeviceState;
  credentials: Credentials;
  /** What binds the private keys to this computer. */
  keyBinding: KeyBinding;
  /** Emits when the keys, which were locked at the start, can be used or were removed. */
  keysUnlocked: Signal;
  /** Returns the path of an entry of the state folder. */
  file: (name: StateEntry) => string;
}

/** Entries with observations that are not uploaded yet. */
const observationEntries = [
  stateEntries.flowSpool,
  stateEntries.captureSpool,
  stateEntries.openFlows,
  stateEntries.toolCalls,
  stateEntries.cursorTokens,
];

/**
 * How long the start waits for the TPM. One that is slower unlocks the keys later: until then, the
 * agent observes and stores, but sends nothing.
 */
const UNLOCK_WAIT_MS = 500;

/** Opens the state folder. Damaged files in it are set aside and become a problem. */
export async function openDevice(
  options: AgentOptions,
  log: Log,
  problems: Problems,
  /** Called when the status of the device has changed. */
  changed: () => void = () => {},
): Promise<Device> {
  const { stateDir } = options;
  const damaged: string[] = [];
  const state = openState(stateDir);
  const keys = openKeys({ options, log, problems, damaged, changed });
  const { credentials, keyBinding } = keys;
  if (state.error !== null) {
    damaged.push(state.error);
    // An identity without its record could belong to another device.
    credentials.remove('identity');
  }
  const facts = await readDeviceFacts(stateDir, options.hardwareId);
  const device = { ...keys, facts, state, file: (name: StateEntry) => join(stateDir, name) };
  if (isFromAnotherComputer(device)) {
    discardIdentity(device);
    damaged.push(
      'the state folder belongs to another computer (its hardware id differs): this computer enrolls as a new device',
    );
  }
  await keyBinding.tryToUnlock(UNLOCK_WAIT_MS);
  problems.set('state', damaged);
  return device;
}

interface KeysOptions {
  options: AgentOptions;
  log: Log;
  problems: Problems;
  /** Lines about what was lost; lines are added. */
  damaged: string[];
  changed: () => void;
}

/** Opens the private keys with their certificates. They may be locked until the TPM has answered. */
function openKeys({
  options: { stateDir, tpm, backoff },
  log,
  problems,
  damaged,
  changed,
}: KeysOptions): Pick<Device, 'credentials' | 'keyBinding' | 'keysUnlocked'> {
  const keysUnlocked = createSignal();
  const files = openKeyFiles(stateDir);
  const keyBinding = createKeyBinding({
    files,
    sealer: createTpmSealer(tpm),
    backoff,
    onUnlocked: () => {
      credentials.reload();
      problems.set('state', damaged);
      keysUnlocked.emit();
    },
    // The hardware id is the same, so the control plane assigns the same device id and stores each
    // report once: those that are not uploaded yet are kept.
    onForeign: (reason) => {
      credentials.removeAll();
      damaged.push(
        `the keys in the state folder cannot be used on this computer (${reason}): they are from ` +
          'another computer, or the TPM was cleared or replaced. This computer enrolls again',
      );
      problems.set('state', damaged);
      keysUnlocked.emit();
    },
    onStatus: (status) => {
      problems.set('keys', lockedLines(status));
      const line = describeBinding(status);
      if (line !== null) log.info(line);
      changed();
    },
  });
  const credentials = openCredentials(stateDir, (line) => void damaged.push(line), {
    keyFiles: files,
    beforeFirstKey: keyBinding.bind,
  });
  return { credentials, keyBinding, keysUnlocked };
}

const describeBinding = (status: KeyBindingStatus): string | null => {
  if (status.state === 'bound') return "the keys are bound to this computer's TPM";
  if (status.state !== 'not_bound') return null;
  return `the keys are not bound to this computer's TPM: ${status.reason}`;
};

/** Returns the problem of keys that cannot be used now. Keys that are not bound are no problem. */
const lockedLines = (binding: KeyBindingStatus): string[] =>
  binding.state === 'locked' && binding.reason !== null
    ? [`they are bound to this computer's TPM, which cannot be used now: ${binding.reason}`]
    : [];

/**
 * Returns whether the state is from another computer: a folder copied with a disk image contains
 * the identity of that computer.
 */
function isFromAnotherComputer({ state, facts }: Pick<Device, 'state' | 'facts'>): boolean {
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
