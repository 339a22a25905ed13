import { readHooks, type Hook } from '#agent/core/app-catalog/hook.ts';
import { hookPlaces } from '#agent/core/app-catalog/hooks.ts';
import type { HookPlace } from '#agent/core/app-catalog/loaded-entry.ts';
import { loadingTools, type LoadingTool } from '#agent/core/app-catalog/loading-tools.ts';
import { flagsOfCommand, flagsOfEndpoint, shownCommand } from '#agent/core/command-risks.ts';
import type { RiskFlag } from '#agent/core/risk-flags.ts';
import { shownAddress, shownName } from '#agent/core/shown.ts';
import { flagsOfText } from '#agent/core/text-risks.ts';
import { readConfig } from './config-file.ts';
import type { Finding } from './finding.ts';
import { cutFlags, cutNotes, flagsOfMode, readLoadedText } from './loaded-text.ts';
import { placedFiles, type PlacedFile } from './placed-files.ts';
import type { Scan } from './places/places.ts';
import { pluginFiles } from './plugin-roots.ts';

type Place = PlacedFile<HookPlace>;

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const ranBy = ({ tool }: HookPlace) => loadingTools[tool as LoadingTool][0];

const base = ({ path, entry, home }: Place, name: string) => ({
  kind: 'hook' as const,
  name: shownName(name),
  catalogId: entry.tool,
  version: null,
  path,
  user: home?.user ?? null,
});

const location = ({ path, entry }: Place) =>
  ({ kind: 'location', text: `in ${path}, run by ${ranBy(entry)}` }) as const;

const flagsOfHook = ({ commands, addresses }: Hook): RiskFlag[] => [
  ...commands.flatMap(flagsOfCommand),
  ...addresses.flatMap(flagsOfEndpoint),
];

function shown({ commands, addresses }: Hook): string[] {
  return [
    ...commands.map((line) => `runs ${shownCommand(line)}`),
    ...addresses.map((address) => `calls ${shownAddress(address)}`),
  ];
}

async function declaredIn(
  scan: Scan,
  place: Place,
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
        ...shown(hook).map((text) => ({ kind: 'declaration', text }) as const),
      ],
      flags: [...flags, ...(await flagsOfMode(scan, place.path, { worldReadable, flags }))],
    });
  }
  return found;
}

/** A hook that is a program of its own: its name says what it is run for. */
async function scriptAt(scan: Scan, place: Place): Promise<Finding[]> {
  const loaded = await readLoadedText(scan, place.home, place.path);
  if (!loaded || /\.(md|json|ya?ml|txt|sample)$/i.test(place.path)) return [];
  const { worldReadable } = loaded;
  const flags: RiskFlag[] = ['runs_commands', ...flagsOfText(loaded.text), ...cutFlags(loaded)];
  return [
    {
      ...base(place, baseName(place.path)),
      signals: [
        location(place),
        { kind: 'name', text: `named ${shownName(baseName(place.path))}` },
      ],
      notes: cutNotes(loaded),
      flags: [...flags, ...(await flagsOfMode(scan, place.path, { worldReadable, flags }))],
    },
  ];
}

/** Commands that agents run by themselves, by event and file. Only their programs are named. */
export async function findHooks(scan: Scan): Promise<Finding[]> {
  const places = [
    ...(await placedFiles(scan, hookPlaces)),
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
