import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Labelled } from './train.ts';

const here = import.meta.dirname;

/** Registries whose names people see in menus. Most of their programs have no summary. */
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

/**
 * Reads the labels of published programs: `registry`, `name`, and `ai` or `other`, separated by
 * tabs.
 */
function readLabels(): Map<string, boolean> {
  const lines = readFileSync(join(here, 'labels.tsv'), 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [registry, name, label] = line.split('\t');
      return [`${registry}\t${name}`, label === 'ai'];
    }),
  );
}

/** The importance of an example: there are few, and each represents others of its kind. */
const IMPORTANCE = 2;

/** Reads the descriptions written for the training: other languages, look-alikes, rare phrases. */
export const readExamples = (): Labelled[] =>
  readLines(join(here, 'examples.jsonl'), Example).map((example) => ({
    ...example,
    importance: IMPORTANCE,
  }));

/**
 * Reads descriptions of published programs, with their labels. Those without a label are omitted.
 */
export function readPublished(files: readonly string[]): Labelled[] {
  const labels = readLabels();
  return files
    .flatMap((file) => readLines(file, Published))
    .flatMap(({ registry, name, summary, keywords }): Labelled[] => {
      const ai = labels.get(`${registry}\t${name}`);
      if (ai === undefined) return [];
      const published = { name, summary, keywords, ai };
      // A program whose description is not about AI has a name that is not about AI either.
      const isOnlyNamed = !ai && summary !== '' && displayed.has(registry);
      return isOnlyNamed ? [published, { name, ai, importance: 0.5 }] : [published];
    });
}
