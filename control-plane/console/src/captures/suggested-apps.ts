import type { Capture } from '../data/capture-sources.ts';

interface AppGroup {
  name: string;
  catalog_id: string | null;
}

/** An app as captures name it, with the name that users know. */
interface SuggestedApp {
  id: string;
  name: string;
}

/**
 * The apps that runs can be assigned by: those that are installed on devices, also before their
 * first capture, and those of captures.
 */
export function suggestedApps(
  captures: readonly Pick<Capture, 'app_id' | 'process'>[],
  groups: readonly AppGroup[],
): SuggestedApp[] {
  const captured = captures.flatMap(({ app_id, process }) => app_id ?? process ?? []);
  const installed = groups.flatMap(({ catalog_id, name }) =>
    catalog_id === null ? [] : [[catalog_id, name] as const],
  );
  const names = new Map([...captured.map((id) => [id, id] as const), ...installed]);
  return [...names]
    .map(([id, name]) => ({ id, name: name === id ? id : `${name} (${id})` }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
