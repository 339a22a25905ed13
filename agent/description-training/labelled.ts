import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Labelled } from './train.ts';

const here = import.meta.dirname;

/** Registries whose names people read in menus; most programs there have no summary. */
const displayed = new Set(['desktop-app', 'homebrew-cask', 'macos-app', 'scoop']);

const Texts = { summary: z.string().default(''), keywords: z.array(z.string()).default([]) };
const Example = z.strictObject({ ai: z.boolean(), name: z.string().default(''), ...Texts });
const Published = z.object({ registry: z.string(), name: z.string(), ...Texts });

/** @throws Error naming the file and line that is not JSON of this shape */
function readLines<T>(file: string, shape: z.ZodType<T>): T[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, i) => {
    if (line.trim() === '') return [];
    try {
      return [shape.parse(JSON.parse(line))];
    } catch (error) {
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : 'not JSON';
      throw new Error(`${file}, line ${i + 1}: ${reason}`, { cause: error });
    }
  });
}

/** The labels of published programs: `registry`, `name`, and `ai` or `other`, with tabs between. */
function readLabels(): Map<string, boolean> {
  const lines = readFileSync(join(here, 'labels.tsv'), 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [registry, name, label] = line.split('\t');
      return [`${registry}\t${name}`, label === 'ai'];
    }),
  );
}

/** They are few, and each stands for others of its kind. */
const IMPORTANCE = 2;

/** Descriptions that are made up for the training: other languages, look-alikes, rare phrases. */
export const readExamples = (): Labelled[] =>
  readLines(join(here, 'examples.jsonl'), Example).map((example) => ({
    ...example,
    importance: IMPORTANCE,
  }));

/** Descriptions of published programs, with their labels; those without a label are left out. */
export function readPublished(files: readonly string[]): Labelled[] {
  const labels = readLabels();
  return files
    .flatMap((file) => readLines(file, Published))
    .flatMap(({ registry, name, summary, keywords }): Labelled[] => {
      const ai = labels.get(`${registry}\t${name}`);
      if (ai === undefined) return [];
      const published = { name, summary, keywords, ai };
      // Without AI in its description, a program has none in its name either.
      const isOnlyNamed = !ai && summary !== '' && displayed.has(registry);
      return isOnlyNamed ? [published, { name, ai, importance: 0.5 }] : [published];
    });
}
