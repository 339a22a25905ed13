import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { featuresOf } from '#agent/core/recognition/description/features.ts';
import present from '#agent/core/recognition/description/weights.json' with { type: 'json' };
import { errorLine } from '#profile-builder/terminal-output.ts';
import { weightsOfRare } from './feature-counts.ts';
import { readExamples, readPublished } from './labelled.ts';
import { productExamples } from './product-names.ts';
import { type Labelled, train, type Weights } from './train.ts';

const USAGE = `usage: npm run train:descriptions -- [--update] FILE...

Learns the weights by which discovery recognizes descriptions of AI programs, and writes them to
agent/core/recognition/description/weights.json. Before that it prints how well weights recognize
every fifth description after learning from the others.

FILE       descriptions of published programs, a JSON object with registry, name, summary and
           keywords on each line; labels.tsv has the labels
--update   keeps the present weights of features that are rare in the files, unless the examples
           contradict them. For files that have only some of the labelled descriptions, or no
           keywords`;

const target = join(import.meta.dirname, '../core/recognition/description/weights.json');
const HELD_OUT = 5;
/** The log-odds that a description needs: a false report is worse than a missing one. */
const CAUTION = 0.7;

function recognizer({ bias, weights }: Weights): (example: Labelled) => boolean {
  const known = new Map(Object.entries(weights));
  return (example) =>
    [...featuresOf(example)].reduce((sum, feature) => sum + (known.get(feature) ?? 0), bias) > 0;
}

const percent = (part: number, whole: number): string =>
  `${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`;

/** Learns weights with which a score above 0 means an AI program. */
function learn(descriptions: readonly Labelled[], prior?: Weights): Weights {
  const examples = [...descriptions, ...productExamples(descriptions)];
  const { bias, weights } = train(examples, prior && { prior });
  return { bias: Math.round(100 * (bias - CAUTION)) / 100, weights };
}

/** Evaluates weights learned from most descriptions on the held-out ones. */
function evaluate(
  published: readonly Labelled[],
  examples: readonly Labelled[],
  prior?: Weights,
): string {
  const learned = published.filter((_, i) => i % HELD_OUT !== 0);
  const heldOut = published.filter(({ importance }, i) => i % HELD_OUT === 0 && !importance);
  const isRecognized = recognizer(learn([...learned, ...examples], prior));
  const ai = heldOut.filter((one) => one.ai);
  const other = heldOut.filter((one) => !one.ai);
  const found = ai.filter(isRecognized).length;
  const mistaken = other.filter(isRecognized).length;
  return `held out: ${percent(found, ai.length)} of AI recognized, ${percent(mistaken, other.length)} of others mistaken for it`;
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { update: { type: 'boolean', default: false } },
  });
  if (positionals.length === 0) throw new Error('FILE is missing');
  const published = readPublished(positionals);
  const examples = readExamples();
  const prior = values.update ? weightsOfRare(present, published) : undefined;
  console.log(`${published.length} published descriptions, ${examples.length} examples`);
  console.log(evaluate(published, examples, prior));
  const weights = learn([...published, ...examples], prior);
  writeFileSync(target, `${JSON.stringify(weights, null, 2)}\n`);
  console.log(`${Object.keys(weights.weights).length} weights in ${target}`);
} catch (error) {
  process.stderr.write(`${errorLine(error as Error)}\n${USAGE}\n`);
  process.exitCode = 2;
}
