import { aiScore, isAboutAi } from '#agent/core/recognition/description/about-ai.ts';
import { modelLibraryIn, worksBesideModels } from '#agent/core/recognition/model-libraries.ts';
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
  /** What the catalog has of the package. */
  entry?: CommandLineTool | undefined;
}

interface AboutAi {
  /** A description that is only probably that of an AI program is weaker. */
  kind: 'manifest' | 'description';
  notes: readonly string[];
}

/** The evidence for a package that only the catalog describes. */
export const listed: AboutAi = { kind: 'manifest', notes: ['the catalog has its package'] };

/** A package's description of its program, as its manifest has it. */
export interface PackageDescription {
  name: string;
  summary?: unknown;
  keywords?: unknown;
  /** Names of its dependencies. */
  dependencies?: readonly string[];
}

/** The log-odds of a library that programs of other kinds use as well. */
const WEAK_SIGN = 1.5;
/** The log-odds from which a description counts as much as a name in the catalog. */
const CERTAIN = 3;

/** The evidence in a package's manifest that it is about AI; undefined: none. */
export function aboutAi({
  name,
  summary,
  keywords,
  dependencies = [],
}: PackageDescription): AboutAi | undefined {
  const score = aiScore({
    name,
    summary: typeof summary === 'string' ? summary : '',
    keywords: Array.isArray(keywords) ? keywords.filter((one) => typeof one === 'string') : [],
  });
  const library = modelLibraryIn(dependencies);
  const certainty = score + (worksBesideModels(dependencies) ? WEAK_SIGN : 0);
  if (library === undefined && certainty <= 0) return undefined;
  return {
    kind: library !== undefined || certainty > CERTAIN ? 'manifest' : 'description',
    notes: [
      ...(certainty > 0 ? ['its package says that it is about AI'] : []),
      ...(library === undefined ? [] : [`it is made with ${displayName(library)}`]),
    ],
  };
}

/** The evidence for a package that says more in its README than in its summary. */
export const introduced = (readme: string): AboutAi | undefined =>
  isAboutAi({ name: '', summary: readme })
    ? { kind: 'description', notes: ['its README says that it is about AI'] }
    : undefined;

/** A program that is recognized by its description alone. */
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
