import { isObject } from '#agent/core/recognition/mcp-server.ts';
import type { Signal } from '#agent/core/recognition/signals.ts';
import type { RiskFlag } from '#agent/core/risk-flags.ts';
import { displayName } from '#agent/core/display.ts';
import { flagsOfSettings, flagsOfText } from '#agent/core/text-risks.ts';
import { agentFiles } from '#domain/app-catalog/loaded-catalog.ts';
import type { AgentFile } from '#domain/app-catalog/loaded-entry.ts';
import { loadingTools, type LoadingTool } from '#domain/app-catalog/loading-tools.ts';
import type { Finding } from './finding.ts';
import {
  truncationFlags,
  truncationNotes,
  flagsOfFileMode,
  readLoadedText,
  settingsOf,
  type Settings,
} from './loaded-text.ts';
import { locateFiles, type LocatedFile } from './located-files.ts';
import type { Scan } from './platform-paths/platform-paths.ts';
import { pluginFiles } from './plugin-roots.ts';

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
const isSkillFolder = (path: string) => baseName(path) === 'SKILL.md';

const readers = (tool: string | null) =>
  tool !== null && tool in loadingTools ? loadingTools[tool as LoadingTool][0] : 'several agents';

const textOf = (settings: Settings | undefined, key: string) => {
  const value = settings && Object.hasOwn(settings, key) ? settings[key] : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
};

/** Modes of Roo and Kilo: several agents in one file. */
function modeNames(settings: Settings | undefined): string[] {
  const modes = settings && Object.hasOwn(settings, 'customModes') ? settings['customModes'] : [];
  return (Array.isArray(modes) ? modes : []).flatMap((mode) =>
    isObject(mode) ? (textOf(mode, 'name') ?? textOf(mode, 'slug') ?? []) : [],
  );
}

/** The names of the agents in a file; empty if it defines none. */
function agentNames(path: string, settings: Settings | undefined): string[] {
  const modes = modeNames(settings);
  if (modes.length > 0) return modes;
  const isDefined = ['name', 'description', 'prompt'].some((key) => textOf(settings, key));
  const name =
    textOf(settings, 'name') ?? baseName(path).replace(/(\.(agent|chatmode))?\.\w+$/, '');
  return isDefined ? [name] : [];
}

function skillName(path: string, settings: Settings | undefined): string {
  if (isSkillFolder(path)) return textOf(settings, 'name') ?? baseName(parentOf(path));
  return baseName(path).replace(/(\.prompt)?\.\w+$/, '');
}

function namesOf({ kind }: AgentFile, path: string, settings: Settings | undefined): string[] {
  if (kind === 'sub_agent') return agentNames(path, settings);
  return [kind === 'skill' ? skillName(path, settings) : baseName(path)];
}

async function hasScripts(scan: Scan, path: string): Promise<boolean> {
  if (!isSkillFolder(path)) return false;
  const scripts = await scan.tree.list(`${parentOf(path)}/scripts`);
  return scripts.some((item) => item.kind === 'file');
}

async function flagsOf(
  scan: Scan,
  path: string,
  found: { text: string; worldReadable: boolean; settings: Settings | undefined; scripts: boolean },
): Promise<RiskFlag[]> {
  const flags = [
    ...flagsOfText(found.text),
    ...flagsOfSettings(found.settings ?? {}),
    ...(found.scripts ? (['runs_commands'] as const) : []),
  ];
  const { worldReadable } = found;
  return [...flags, ...(await flagsOfFileMode(scan, path, { worldReadable, flags }))];
}

async function inspect(
  scan: Scan,
  { path, entry, home }: LocatedFile<AgentFile>,
): Promise<Finding[]> {
  const loaded = await readLoadedText(scan, home, path);
  if (!loaded) return [];
  const settings = await settingsOf(path, loaded.text);
  const scripts = await hasScripts(scan, path);
  const flags = await flagsOf(scan, path, { ...loaded, settings, scripts });
  const names = namesOf(entry, path, settings);
  // A list of agents cannot be read from a truncated file.
  if (entry.kind === 'sub_agent' && loaded.isTruncated)
    scan.notRead(path, 'is too large to be read whole');
  const described = textOf(settings, 'name') ?? textOf(settings, 'description');
  const sign: Signal =
    described === undefined
      ? { kind: 'name', text: `named ${displayName(baseName(path))}` }
      : { kind: 'manifest', text: 'describes itself in its header' };
  return names.map((name) => ({
    kind: entry.kind,
    name: displayName(name),
    catalogId: entry.tool,
    version: null,
    path,
    user: home?.user ?? null,
    signals: [{ kind: 'location', text: `in ${path}, read by ${readers(entry.tool)}` }, sign],
    notes: [
      `${loaded.bytes} bytes`,
      ...truncationNotes(loaded),
      ...(scripts ? ['brings scripts'] : []),
    ],
    flags: [...flags, ...truncationFlags(loaded)],
  }));
}

/** Instructions, skills and sub-agents of all known tools. Their text is checked but not stored. */
export async function findAgentFiles(scan: Scan): Promise<Finding[]> {
  const files = [
    ...(await locateFiles(scan, agentFiles)),
    ...(await pluginFiles(scan, agentFiles)),
  ];
  const found: Finding[] = [];
  for (const file of files) {
    scan.checkpoint();
    found.push(...(await inspect(scan, file)));
  }
  return found;
}
