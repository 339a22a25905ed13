import type { ManagedFile, DesiredContent } from '#agent/core/coding-agents/managed-file.ts';
import { opencodeRecordingPlugin } from '#agent/core/coding-agents/opencode-plugin.ts';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import type { Hooks } from '#domain/coding-agents/hook-command.ts';
import { opencodeCheckPlugin } from '#agent/core/tool-checks/opencode-check-plugin.ts';
import { NO_RELAY } from './gemini.ts';
import { editJson, readJsonObject } from './edit-json.ts';

/**
 * opencode's managed settings. Each purpose has its own plugin, so that each can be switched alone.
 */
const CONFIG = 'opencode.json';

/** A plugin that records, and its entry in the managed settings. */
export function opencodeRecordingFiles(folder: string): ManagedFile<Recording>[] {
  const plugin = `${folder}/gatehouse-recording.js`;
  return [
    {
      tool: 'opencode',
      path: plugin,
      withSettings: (_, recording) =>
        recording.relay === null
          ? NO_RELAY
          : { text: opencodeRecordingPlugin(recording, recording.relay) },
      withoutSettings: () => null,
    },
    pluginEntryFile(folder, plugin),
  ];
}

/** A plugin that checks tool calls, and its entry in the managed settings. */
export function opencodeHookFiles(folder: string): ManagedFile<Hooks>[] {
  const plugin = `${folder}/gatehouse-tool-checks.js`;
  return [
    {
      tool: 'opencode',
      path: plugin,
      withSettings: (_, hooks) => ({ text: opencodeCheckPlugin(hooks) }),
      withoutSettings: () => null,
    },
    pluginEntryFile(folder, plugin),
  ];
}

/**
 * Manages one entry of the list `plugin`; other entries, comments and the layout stay unchanged.
 */
const pluginEntryFile = <Purpose>(folder: string, plugin: string): ManagedFile<Purpose> => ({
  tool: 'opencode',
  path: `${folder}/${CONFIG}`,
  withSettings: (present) => withEntry(present ?? '', `file://${plugin}`),
  withoutSettings: (present) => withoutEntry(present, `file://${plugin}`),
});

function withEntry(present: string, entry: string): DesiredContent {
  const content = readJsonObject(present);
  if (!content) return { error: 'is not a JSON object' };
  const { plugin: listed = [] } = content;
  if (!Array.isArray(listed)) return { error: 'has a "plugin" that is not a list' };
  if (listed.includes(entry)) return { text: present };
  return {
    text: editJson(present, ['plugin'], [...(listed as unknown[]), entry]),
  };
}

function withoutEntry(present: string, entry: string): string | null {
  const content = readJsonObject(present);
  if (!content || !Array.isArray(content.plugin) || !content.plugin.includes(entry)) return present;
  const others = (content.plugin as unknown[]).filter((one) => one !== entry);
  if (others.length === 0 && Object.keys(content).length === 1) return null;
  return editJson(present, ['plugin'], others.length > 0 ? others : undefined);
}
