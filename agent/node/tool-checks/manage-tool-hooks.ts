import type { Hooks } from '#domain/coding-agents/hook-command.ts';
import type { AgentOptions } from '../agent-runtime.ts';
import type { WrittenSettings } from '../coding-agents/manage-coding-agents.ts';
import type { Ledgers } from '../coding-agents/ledger.ts';
import { recordingFiles } from '../coding-agents/recording-files.ts';
import {
  createSettingsWriter,
  NOTHING_TO_WRITE,
  SETTLE_MS,
  type SettingsWriter,
} from '../coding-agents/settings-writer.ts';
import type { ControlPlaneLink } from '../link/control-plane-link.ts';
import type { Device } from '../identity/device.ts';
import { hasIdentity } from '../identity/enrollment-loop.ts';
import { startLoop } from '#lib/loop.ts';
import type { Problems } from '../status/problems.ts';
import { type DeliveredHooks, readDeliveredHooks } from './delivered-hooks.ts';
import { hookFiles } from './hook-files.ts';

export interface ToolHookOptions {
  options: AgentOptions;
  device: Device;
  ledgers: Ledgers;
  link: ControlPlaneLink;
  problems: Problems;
}

export interface ToolHooks {
  written: () => WrittenSettings[];
  /** Preferences by device management with hooks that ask this agent now. */
  delivered: () => DeliveredHooks[];
  stop: () => Promise<void>;
}

const PART = 'tool hooks';
const CONSEQUENCE = 'does not ask before it calls tools';

/** The writer of hooks on this system. */
export function createHookWriter(
  ledgers: Ledgers,
  root: string,
  settleMs?: number,
): SettingsWriter<Hooks> {
  const os = process.platform === 'darwin' ? 'macos' : 'linux';
  return createSettingsWriter({
    files: hookFiles(os),
    ledger: ledgers.toolChecks,
    other: { files: recordingFiles(os), ledger: ledgers.recording },
    root,
    settleMs,
    consequence: CONSEQUENCE,
  });
}

/** Keeps the hooks of coding agents as configured in Guard, also while capture is paused. */
export function manageToolHooks(deps: ToolHookOptions): ToolHooks {
  const { options, device, ledgers, link, problems } = deps;
  const { systemRoot: root, toolSocket: socket, toolPreferences: folder } = options;
  const writer = root === null ? null : createHookWriter(ledgers, root, SETTLE_MS);
  const intervalMs = options.heartbeatSeconds * 1000;
  const restored = new Set<string>();
  let delivered: DeliveredHooks[] = [];

  /** `unknown`: written hooks stay unchanged. */
  const desiredHooks = (): Hooks | null | 'unknown' => {
    if (!hasIdentity(device.credentials)) return null;
    const failMode = link.configuration.effective()?.tool_checks;
    if (failMode === undefined) return 'unknown';
    return failMode === 'off' ? null : { socket, failMode };
  };

  const loop = startLoop(async () => {
    if (!writer && folder === null) return null;
    const hooks = desiredHooks();
    if (hooks === 'unknown') return intervalMs;
    const found =
      hooks && folder !== null ? readDeliveredHooks(folder, device.facts.user ?? '') : [];
    delivered = found.filter(({ problem }) => problem === null);
    const elsewhere = new Set(found.map(({ tool }) => tool));
    const result = writer?.apply(hooks, elsewhere) ?? NOTHING_TO_WRITE;
    for (const line of result.restored) restored.add(line);
    const unused = found.filter(({ problem }) => problem !== null).map(describeProblem);
    problems.set(PART, [...unused, ...result.problems, ...restored]);
    return intervalMs;
  }, intervalMs);
  link.applied.subscribe(() => {
    restored.clear();
    loop.runNow();
  });
  return {
    written: () =>
      ledgers.toolChecks.read().files.map(({ tool, path, written_at, restored_at }) => ({
        tool,
        path,
        written_at,
        restored_at,
      })),
    delivered: () => delivered,
    stop: loop.stop,
  };
}

const describeProblem = ({ path, tool, problem }: DeliveredHooks): string =>
  `${path}: ${problem}: ${tool} ${CONSEQUENCE}`;

/** Undoes all hooks that an agent with this state wrote. Returns lines that name the files. */
export function undoToolHooks(ledgers: Ledgers, root: string | null): string[] {
  const before = ledgers.toolChecks.read().files;
  if (before.length === 0) return [];
  if (root === null) return ['the hooks of coding agents are not changed (AGENT_SYSTEM_ROOT=off)'];
  const { problems } = createHookWriter(ledgers, root).apply(null);
  if (problems.length > 0) throw new Error(problems.join('; '));
  return before.map(({ tool, path }) => `${path}: ${tool} no longer asks before it calls tools`);
}
