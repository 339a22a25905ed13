import {
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
  /** The file that says so. */
  declaredIn: string;
  about: AboutAi;
  /** What the catalog has of the package. */
  entry?: CommandLineTool | undefined;
}

interface AboutAi {
  /** A phrase alone is less than what several parts of a package agree on. */
  kind: 'manifest' | 'description';
  notes: readonly string[];
}

/** The package of a tool of the catalog that says nothing itself. */
export const listed: AboutAi = { kind: 'manifest', notes: ['the catalog has its package'] };

/** What a package says of itself that is about AI; undefined: nothing. */
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

/** A program that is known by that alone. */
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
