import { aiScore, isAboutAi } from '#agent/core/recognition/description/about-ai.ts';
import { modelLibraryIn, usesMcpOrTokenizer } from '#agent/core/recognition/model-libraries.ts';
import { displayName } from '#agent/core/display.ts';
import type { CommandLineTool } from '#domain/app-catalog/entry.ts';
import type { Finding } from './finding.ts';
import type { Home } from './platform-paths/platform-paths.ts';

export interface DescribedProgram {
  path: string;
  home: Home | undefined;
  name: string;
  version: string | null;
  /** The file with the description. */
  declaredIn: string;
  evidence: AiEvidence;
  /** The catalog's entry for the package. */
  entry?: CommandLineTool | undefined;
}

interface AiEvidence {
  /** `description` is weaker: the program is only probably about AI. */
  kind: 'manifest' | 'description';
  notes: readonly string[];
}

/** The evidence for a package that only the catalog describes. */
export const catalogEvidence: AiEvidence = {
  kind: 'manifest',
  notes: ['the catalog has its package'],
};

/** The description of a program in its package's manifest. */
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

/** Returns the evidence in a package's manifest that it is about AI; undefined if there is none. */
export function manifestEvidence({
  name,
  summary,
  keywords,
  dependencies = [],
}: PackageDescription): AiEvidence | undefined {
  const score = aiScore({
    name,
    summary: typeof summary === 'string' ? summary : '',
    keywords: Array.isArray(keywords) ? keywords.filter((one) => typeof one === 'string') : [],
  });
  const library = modelLibraryIn(dependencies);
  const certainty = score + (usesMcpOrTokenizer(dependencies) ? WEAK_SIGN : 0);
  if (library === undefined && certainty <= 0) return undefined;
  return {
    kind: library !== undefined || certainty > CERTAIN ? 'manifest' : 'description',
    notes: [
      ...(certainty > 0 ? ['its package says that it is about AI'] : []),
      ...(library === undefined ? [] : [`it is made with ${displayName(library)}`]),
    ],
  };
}

/** Returns the evidence in a package's README, which may say more than its summary. */
export const readmeEvidence = (readme: string): AiEvidence | undefined =>
  isAboutAi({ name: '', summary: readme })
    ? { kind: 'description', notes: ['its README says that it is about AI'] }
    : undefined;

/** Creates a finding for a program that is recognized only by its description. */
export const describedFinding = ({
  path,
  home,
  name,
  version,
  declaredIn,
  evidence,
  entry,
}: DescribedProgram): Finding => ({
  kind: 'cli',
  name: entry?.name ?? displayName(name),
  catalogId: entry?.id ?? null,
  version,
  path,
  user: home?.user ?? null,
  signals: [
    { kind: 'location', text: `package in ${path}` },
    { kind: evidence.kind, text: `${declaredIn} names it` },
  ],
  notes: evidence.notes,
});
