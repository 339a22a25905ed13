import {
  describesAi,
  packageNamesAi,
  packageShowsAi,
  type PackageDescription,
} from '#agent/core/recognition/ai-words.ts';
import { modelLibraryIn } from '#agent/core/recognition/model-libraries.ts';
import { displayName } from '#agent/core/display.ts';
import type { CommandLineTool } from '#domain/app-catalog/entry.ts';
import type { Finding } from './finding.ts';
import type { Home } from './platform-paths/platform-paths.ts';

export interface Described {
  path: string;
  home: Home | undefined;
  name: string;
  version: string | null;
  /** The file with the description. */
  declaredIn: string;
  about: AboutAi;
  /** The catalog's entry for the package. */
  entry?: CommandLineTool | undefined;
}

interface AboutAi {
  /** A phrase alone is weaker than several parts of a package that agree. */
  kind: 'manifest' | 'description';
  notes: readonly string[];
}

/** The evidence for a package that only the catalog describes. */
export const listed: AboutAi = { kind: 'manifest', notes: ['the catalog has its package'] };

/**
 * Returns the evidence in a package's description that it is about AI; undefined if there is none.
 */
export function aboutAi(description: PackageDescription): AboutAi | undefined {
  if (!packageNamesAi(description)) return undefined;
  const library = modelLibraryIn(description.dependencies ?? []);
  const isNamed = packageNamesAi({ ...description, dependencies: [] });
  return {
    kind: packageShowsAi(description) ? 'manifest' : 'description',
    notes: [
      ...(isNamed ? ['its package says that it is about AI'] : []),
      ...(library === undefined ? [] : [`it is made with ${displayName(library)}`]),
    ],
  };
}

/** Returns the evidence in a package's README, which may say more than its summary. */
export const introduced = (readme: string): AboutAi | undefined =>
  describesAi(readme)
    ? { kind: 'description', notes: ['its README says that it is about AI'] }
    : undefined;

/** Creates a finding for a program that is recognized only by its description. */
export const describedFinding = ({
  path,
  home,
  name,
  version,
  declaredIn,
  about,
  entry,
}: Described): Finding => ({
  kind: 'cli',
  name: entry?.name ?? displayName(name),
  catalogId: entry?.id ?? null,
  version,
  path,
  user: home?.user ?? null,
  signals: [
    { kind: 'location', text: `package in ${path}` },
    { kind: about.kind, text: `${declaredIn} names it` },
  ],
  notes: about.notes,
});
