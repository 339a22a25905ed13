import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { featuresOf } from '#agent/core/recognition/description/features.ts';
import { errorLine } from '#profile-builder/terminal-output.ts';
import { readExamples, readPublished } from './labelled.ts';
import { productExamples } from './product-names.ts';
import { type Labelled, train, type Weights } from './train.ts';

const USAGE = `usage: npm run train:descriptions -- FILE...

Learns the weights by which discovery recognizes descriptions of AI programs, and writes them to
agent/core/recognition/description/weights.json. Before that it prints how well weights recognize
every fifth description after learning from the others.

FILE    descriptions of published programs, a JSON object with registry, name, summary and keywords
        on each line; labels.tsv has the labels`;

const target = join(import.meta.dirname, '../core/recognition/description/weights.json');
const HELD_OUT = 5;

const isRecognized = ({ bias, weights }: Weights, example: Labelled): boolean =>
  [...featuresOf(example)].reduce((sum, feature) => sum + (weights[feature] ?? 0), bias) > 0;

const percent = (part: number, whole: number): string =>
  `${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`;

const learn = (descriptions: readonly Labelled[]): Weights =>
  train([...descriptions, ...productExamples(descriptions)]);

/** Evaluates weights learned from most descriptions on the held-out ones. */
function evaluate(published: readonly Labelled[], examples: readonly Labelled[]): string {
  const learned = published.filter((_, i) => i % HELD_OUT !== 0);
  const heldOut = published.filter(({ importance }, i) => i % HELD_OUT === 0 && !importance);
  const weights = learn([...learned, ...examples]);
  const ai = heldOut.filter((one) => one.ai);
  const other = heldOut.filter((one) => !one.ai);
  const found = ai.filter((one) => isRecognized(weights, one)).length;
  const mistaken = other.filter((one) => isRecognized(weights, one)).length;
  return `held out: ${percent(found, ai.length)} of AI recognized, ${percent(mistaken, other.length)} of others mistaken for it`;
}

try {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length === 0) throw new Error('FILE is missing');
  const published = readPublished(positionals);
  const examples = readExamples();
  console.log(`${published.length} published descriptions, ${examples.length} examples`);
  console.log(evaluate(published, examples));
  const weights = learn([...published, ...examples]);
  writeFileSync(target, `${JSON.stringify(weights, null, 2)}\n`);
  console.log(`${Object.keys(weights.weights).length} weights in ${target}`);
} catch (error) {
  process.stderr.write(`${errorLine(error as Error)}\n${USAGE}\n`);
  process.exitCode = 2;
}
