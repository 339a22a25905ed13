import { flagsOfCommand, flagsOfEndpoint, redactCommand } from '#agent/core/command-risks.ts';
import { readHooks, type Hook } from '#agent/core/recognition/hook.ts';
import type { RiskFlag } from '#agent/core/risk-flags.ts';
import { displayAddress, displayName } from '#agent/core/display.ts';
import { flagsOfText } from '#agent/core/text-risks.ts';
import { hookPlaces } from '#domain/app-catalog/hooks.ts';
import type { HookPlace } from '#domain/app-catalog/loaded-entry.ts';
import { loadingTools, type LoadingTool } from '#domain/app-catalog/loading-tools.ts';
import { readConfig } from './config-file.ts';
import type { Finding } from './finding.ts';
import {
  truncationFlags,
  truncationNotes,
  flagsOfFileMode,
  readLoadedText,
} from './loaded-text.ts';
import { locateFiles, type LocatedFile } from './located-files.ts';
import type { Scan } from './platform-paths/platform-paths.ts';
import { pluginFiles } from './plugin-roots.ts';

type HookFile = LocatedFile<HookPlace>;

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const agentOf = ({ tool }: HookPlace) => loadingTools[tool as LoadingTool][0];

const base = ({ path, entry, home }: HookFile, name: string) => ({
  kind: 'hook' as const,
  name: displayName(name),
  catalogId: entry.tool,
  version: null,
  path,
  user: home?.user ?? null,
});

const location = ({ path, entry }: HookFile) =>
  ({ kind: 'location', text: `in ${path}, run by ${agentOf(entry)}` }) as const;

const flagsOfHook = ({ commands, addresses }: Hook): RiskFlag[] => [
  ...commands.flatMap(flagsOfCommand),
  ...addresses.flatMap(flagsOfEndpoint),
];

function describeActions({ commands, addresses }: Hook): string[] {
  return [
    ...commands.map((line) => `runs ${redactCommand(line)}`),
    ...addresses.map((address) => `calls ${displayAddress(address)}`),
  ];
}

async function declaredIn(
  scan: Scan,
  place: HookFile,
  format: 'json' | 'yaml' | 'toml',
): Promise<Finding[]> {
  const config = await readConfig(scan, place.home, place.path, format);
  if (!config) return [];
  const found: Finding[] = [];
  for (const hook of readHooks(config.document, place.entry.keys)) {
    const { worldReadable } = config;
    const flags = flagsOfHook(hook);
    found.push({
      ...base(place, hook.event),
      signals: [
        location(place),
        ...describeActions(hook).map((text) => ({ kind: 'declaration', text }) as const),
      ],
      flags: [...flags, ...(await flagsOfFileMode(scan, place.path, { worldReadable, flags }))],
    });
  }
  return found;
}

/** A hook that is a program itself: its name reveals its event. */
async function scriptAt(scan: Scan, place: HookFile): Promise<Finding[]> {
  const loaded = await readLoadedText(scan, place.home, place.path);
  if (!loaded || /\.(md|json|ya?ml|txt|sample)$/i.test(place.path)) return [];
  const { worldReadable } = loaded;
  const flags: RiskFlag[] = [
    'runs_commands',
    ...flagsOfText(loaded.text),
    ...truncationFlags(loaded),
  ];
  return [
    {
      ...base(place, baseName(place.path)),
      signals: [
        location(place),
        { kind: 'name', text: `named ${displayName(baseName(place.path))}` },
      ],
      notes: truncationNotes(loaded),
      flags: [...flags, ...(await flagsOfFileMode(scan, place.path, { worldReadable, flags }))],
    },
  ];
}

/** Commands that agents run automatically, by event and file. Only their programs are reported. */
export async function findHooks(scan: Scan): Promise<Finding[]> {
  const places = [
    ...(await locateFiles(scan, hookPlaces)),
    ...(await pluginFiles(scan, hookPlaces)),
  ];
  const found: Finding[] = [];
  for (const place of places) {
    scan.checkpoint();
    const { format } = place.entry;
    found.push(
      ...(format === 'script'
        ? await scriptAt(scan, place)
        : await declaredIn(scan, place, format)),
    );
  }
  return found;
}
