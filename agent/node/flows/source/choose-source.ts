import { emptySource } from './flow-source.ts';
import type { FlowSource, SourceOptions } from './flow-source.ts';

type OpenSource = (options: SourceOptions) => FlowSource;

/** Modules that bind functions of their own system and are loaded only there. */
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
