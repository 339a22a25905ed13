import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { recordingFiles } from './recording-files.ts';
import type { CodingAgentLevel } from '#contract/guard.ts';
import { deviceRoutes } from '#contract/device-protocol.ts';
import type { AgentOptions } from '../agent-runtime.ts';
import type { Pauses } from '../capture/pauses.ts';
import type { ControlPlaneLink } from '../link/control-plane-link.ts';
import type { Device } from '../identity/device.ts';
import { hasIdentity } from '../identity/enrollment-loop.ts';
import { startLoop } from '#lib/loop.ts';
import type { Problems } from '../status/problems.ts';
import { hookFiles } from '../tool-checks/hook-files.ts';
import type { Ledger, Ledgers } from './ledger.ts';
import { readTrustedRoots } from '../identity/trusted-roots.ts';
import { createOtlpRelay } from './otlp-relay.ts';
import {
  createSettingsWriter,
  NOTHING_TO_WRITE,
  SETTLE_MS,
  type SettingsWriter,
} from './settings-writer.ts';
import {
  type CheckedPreferences,
  checkToolPreferences,
  readToolPreferences,
  type ToolPreferences,
} from './tool-preferences.ts';

export interface CodingAgentsOptions {
  options: AgentOptions;
  device: Device;
  ledgers: Ledgers;
  link: ControlPlaneLink;
  problems: Problems;
  pauses: Pick<Pauses, 'until' | 'changed'>;
  /** Called with the size of each request with telemetry that was relayed. */
  onRelayed: (bytes: number) => void;
}

/** A settings file that the agent wrote. */
export interface WrittenSettings {
  tool: string;
  path: string;
  /** ms */
  written_at: number;
  /** The time in ms when a change by another program or user was last undone. */
  restored_at: number | null;
}

export interface CodingAgents {
  written: () => WrittenSettings[];
  /** Preferences by device management that make tools report to this agent now. */
  delivered: () => ToolPreferences[];
  /** What may be recorded now, without asking for a key. */
  level: () => CodingAgentLevel;
  /** Calls the listener when the level may have changed. */
  onLevelChange: (listener: () => void) => void;
  /** The current recording settings of this device; null: off, or no key yet. */
  recording: (signal: AbortSignal) => Promise<Recording | null>;
  stop: () => Promise<void>;
}

const PART = 'coding agents';
const CONSEQUENCE = 'is not recorded';
const NO_PREFERENCES: CheckedPreferences = { delivered: [], problems: [] };

/** The writer of recording settings on this system. */
export function createRecordingWriter(
  ledgers: Ledgers,
  root: string,
  settleMs?: number,
): SettingsWriter<Recording> {
  const os = process.platform === 'darwin' ? 'macos' : 'linux';
  return createSettingsWriter({
    files: recordingFiles(os),
    ledger: ledgers.recording,
    other: { files: hookFiles(os), ledger: ledgers.toolChecks },
    root,
    settleMs,
    consequence: CONSEQUENCE,
  });
}

/** Keeps the managed settings of coding agents as configured in Guard. */
export function manageCodingAgents(deps: CodingAgentsOptions): CodingAgents {
  const { options, device, link, problems, pauses } = deps;
  const ledger = deps.ledgers.recording;
  const root = options.systemRoot;
  const writer = root === null ? null : createRecordingWriter(deps.ledgers, root, SETTLE_MS);
  const intervalMs = options.heartbeatSeconds * 1000;
  const restored = new Set<string>();
  let inForce: Recording | null = null;
  let delivered: ToolPreferences[] = [];
  const relay = createOtlpRelay({
    port: options.otlpPort,
    recording: () => inForce,
    roots: () => {
      const read = readTrustedRoots(options.trustedRootsFile, device.credentials.roots());
      return 'roots' in read ? read.roots : [];
    },
    onProblem: (line) => problems.set('telemetry relay', line === null ? [] : [line]),
    onSent: deps.onRelayed,
  });

  /** Undefined without a configuration. */
  const currentLevel = (): CodingAgentLevel | undefined =>
    // A revoked device gets no configuration.
    !hasIdentity(device.credentials) || pauses.until() !== null
      ? 'off'
      : link.configuration.effective()?.coding_agents;

  /** `unknown`: written settings stay unchanged. */
  const desiredRecording = async (signal: AbortSignal): Promise<Recording | null | 'unknown'> => {
    const level = currentLevel();
    if (level === undefined) return 'unknown';
    if (level === 'off') return null;
    const key = await currentKey(ledger, link, signal);
    if (!key) return 'unknown';
    return {
      level,
      key: key.key,
      endpoint: key.endpoint,
      relay: await relay.open(),
      socket: options.toolSocket,
    };
  };

  const { toolPreferences: folder } = options;
  const readPreferences = () =>
    folder === null ? [] : readToolPreferences(folder, device.facts.user ?? '');

  const loop = startLoop(async (signal) => {
    // Tools on a Mac may have their settings from device management, and then need only the relay.
    if (!writer && folder === null) return null;
    const recording = await desiredRecording(signal);
    if (signal.aborted || recording === 'unknown') return intervalMs;
    inForce = recording;
    if (!recording) relay.close();
    const found = recording ? readPreferences() : [];
    const elsewhere = found.filter(({ replacesFiles }) => replacesFiles).map(({ tool }) => tool);
    const result = writer?.apply(recording, new Set(elsewhere)) ?? NOTHING_TO_WRITE;
    const written = new Set(ledger.read().files.map(({ tool }) => tool));
    const checked = recording ? checkToolPreferences(found, recording, written) : NO_PREFERENCES;
    delivered = checked.delivered;
    if (!recording) problems.set('recording key');
    // Without a writer, the files of an earlier process stay in the ledger.
    if (!recording && ledger.read().key && result.problems.length === 0)
      ledger.write({ ...ledger.read(), key: null });
    for (const line of result.restored) restored.add(line);
    problems.set(PART, [...checked.problems, ...result.problems, ...restored]);
    return intervalMs;
    // Until a configuration is applied, settings of an earlier process are kept.
  }, intervalMs);
  link.applied.subscribe(() => {
    restored.clear();
    loop.runNow();
  });
  pauses.changed.subscribe(loop.runNow);

  return {
    written: () =>
      ledger.read().files.map(({ tool, path, written_at, restored_at }) => ({
        tool,
        path,
        written_at,
        restored_at,
      })),
    delivered: () => delivered,
    level: () => currentLevel() ?? 'off',
    onLevelChange: (listener) => {
      link.applied.subscribe(listener);
      pauses.changed.subscribe(listener);
    },
    recording: async (signal) => {
      const recording = await desiredRecording(signal);
      return recording === 'unknown' ? null : recording;
    },
    stop: async () => {
      await loop.stop();
      relay.close();
    },
  };
}

/** Returns the device's key, renewed when due and possible. */
async function currentKey(ledger: Ledger, link: ControlPlaneLink, signal: AbortSignal) {
  const { key } = ledger.read();
  if (key && Date.now() < key.renew_at) return key;
  const result = await link.connection.request('recording key', signal, async (device) =>
    deviceRoutes.issueRecordingKey.response.parse(
      await device.issueRecordingKey(undefined, { signal }),
    ),
  );
  if (result.kind !== 'answered') return key && Date.now() < key.expires_at ? key : null;
  ledger.write({ ...ledger.read(), key: result.response });
  return result.response;
}

/** Undoes everything that an agent with this state wrote. Returns lines that name the files. */
export function undoCodingAgentSettings(ledgers: Ledgers, root: string | null): string[] {
  const ledger = ledgers.recording;
  const before = ledger.read().files;
  if (before.length === 0) return ['no settings of coding agents were written'];
  if (root === null)
    return ['the settings of coding agents are not changed (AGENT_SYSTEM_ROOT=off)'];
  const { problems } = createRecordingWriter(ledgers, root).apply(null);
  if (problems.length > 0) throw new Error(problems.join('; '));
  ledger.write({ key: null, files: [] });
  return before.map(({ tool, path }) => `${path}: ${tool} is no longer recorded`);
}
