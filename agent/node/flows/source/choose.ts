import { emptySource } from './source.ts';
import type { FlowSource, SourceEvents } from './source.ts';

export interface SourceOptions extends SourceEvents {
  /** The catalog's name for a host, or nothing for a host that is not in the catalog. */
  isKnown: (name: string) => string | undefined;
  now: () => number;
}

type OpenSource = (options: SourceOptions) => FlowSource;

/** Loaded only where they run: each binds functions of its own system. */
const openers: Partial<Record<string, () => Promise<OpenSource>>> = {
  linux: async () => (await import('./linux.ts')).openLinuxSource,
  darwin: async () => (await import('./darwin.ts')).openDarwinSource,
};

export async function chooseSource(system: string, options: SourceOptions): Promise<FlowSource> {
  const load = openers[system];
  if (!load) return emptySource(`network flows cannot be observed on ${system}`);
  const open = await load();
  return open(options);
}
