import { type Description, featuresOf } from '#agent/core/recognition/description/features.ts';

export interface Labelled extends Description {
  /** Whether it describes a program about AI. */
  ai: boolean;
  /** The importance of the example; 1 by default. */
  importance?: number;
}

/** The weights of a linear model; omitted ones are 0. */
export interface Weights {
  bias: number;
  weights: Record<string, number>;
}

export interface Settings {
  /** The penalty on the sum of absolute weights, which leaves most features without a weight. */
  l1: number;
  /**
   * The penalty on the sum of squares, which makes features that occur together share their weight.
   */
  l2: number;
  /** The minimum number of occurrences; rarer features are ignored. */
  minCount: number;
  iterations: number;
  /**
   * The weights that the penalties pull towards. With earlier weights, what they learned from
   * descriptions that are no longer available stays, unless the examples contradict it.
   */
  prior: Weights;
}

const noWeights: Weights = { bias: 0, weights: {} };
const defaults: Settings = { l1: 0.5, l2: 0.3, minCount: 3, iterations: 400, prior: noWeights };

/** The features of each example, as indexes into `names`. */
interface Samples {
  names: readonly string[];
  rows: readonly Int32Array[];
  labels: readonly number[];
  importance: readonly number[];
}

/** One number for each feature; the last entry is that of the bias. */
type Vector = Float64Array;

/**
 * Learns weights by logistic regression with elastic-net penalties, with the accelerated proximal
 * gradient method (FISTA; Beck and Teboulle 2009). The bias is not penalized. Deterministic.
 */
export function train(examples: readonly Labelled[], settings: Partial<Settings> = {}): Weights {
  const { l1, l2, minCount, iterations, prior } = { ...defaults, ...settings };
  const samples = samplesOf(examples, minCount, Object.keys(prior.weights));
  const center = centerOf(samples.names, prior);
  const step = 1 / (largestCurvature(samples) + l2);
  let current: Vector = center;
  let ahead: Vector = current;
  let momentum = 1;
  for (let i = 0; i < iterations; i += 1) {
    const next = shrink(ahead, gradientAt(samples, ahead), { center, step, l1, l2 });
    const nextMomentum = (1 + Math.sqrt(1 + 4 * momentum ** 2)) / 2;
    const pace = (momentum - 1) / nextMomentum;
    const previous = current;
    ahead = next.map((weight, j) => weight + pace * (weight - (previous[j] ?? 0)));
    current = next;
    momentum = nextMomentum;
  }
  return rounded(samples.names, current);
}

function samplesOf(
  examples: readonly Labelled[],
  minCount: number,
  kept: readonly string[],
): Samples {
  const sets = examples.map((example) => [...featuresOf(example)]);
  const counts = new Map<string, number>();
  for (const feature of sets.flat()) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const frequent = [...counts].flatMap(([name, count]) => (count >= minCount ? [name] : []));
  const names = [...new Set([...frequent, ...kept])].toSorted();
  const indexes = new Map(names.map((name, index) => [name, index]));
  return {
    names,
    rows: sets.map((set) => Int32Array.from(set.flatMap((name) => indexes.get(name) ?? []))),
    labels: examples.map(({ ai }) => (ai ? 1 : 0)),
    importance: examples.map(({ importance = 1 }) => importance),
  };
}

/** The words are those of any text, such as `constructor`, so they are not looked up in an object. */
function centerOf(names: readonly string[], { bias, weights }: Weights): Vector {
  const known = new Map(Object.entries(weights));
  return Float64Array.from([...names.map((name) => known.get(name) ?? 0), bias]);
}

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? 0;

function scoreAt(row: Int32Array, weights: Vector): number {
  let sum = at(weights, weights.length - 1);
  for (const index of row) sum += at(weights, index);
  return sum;
}

/**
 * Adds the contribution of one example to a vector: the same amount for each of its features and
 * the bias.
 */
function addTo(vector: Vector, row: Int32Array, amount: number): void {
  const last = vector.length - 1;
  vector[last] = at(vector, last) + amount;
  for (const index of row) vector[index] = at(vector, index) + amount;
}

function gradientAt({ rows, labels, importance }: Samples, weights: Vector): Vector {
  const gradient = new Float64Array(weights.length);
  for (const [i, row] of rows.entries()) {
    const probability = 1 / (1 + Math.exp(-scoreAt(row, weights)));
    addTo(gradient, row, (probability - at(labels, i)) * at(importance, i));
  }
  return gradient;
}

/**
 * Returns the largest eigenvalue of the loss's curvature, by power iteration; it limits the step.
 */
function largestCurvature({ names, rows, importance }: Samples): number {
  let vector: Vector = new Float64Array(names.length + 1).fill(1);
  let length = 1;
  for (let i = 0; i < 30; i += 1) {
    const product = new Float64Array(vector.length);
    for (const [j, row] of rows.entries())
      addTo(product, row, scoreAt(row, vector) * at(importance, j));
    length = Math.sqrt(product.reduce((sum, value) => sum + value * value, 0));
    vector = product.map((value) => value / length);
  }
  return length / 4;
}

/**
 * Takes a step down the gradient, and then shrinks the weights towards the center by the penalties.
 * The bias only takes the step.
 */
function shrink(
  weights: Vector,
  gradient: Vector,
  { center, step, l1, l2 }: { center: Vector; step: number; l1: number; l2: number },
): Vector {
  const bias = weights.length - 1;
  return weights.map((weight, j) => {
    if (j === bias) return weight - step * at(gradient, j);
    const offset = weight - step * at(gradient, j) - at(center, j);
    const moved = offset - step * l2 * (weight - at(center, j));
    return at(center, j) + Math.sign(moved) * Math.max(0, Math.abs(moved) - step * l1);
  });
}

const twoDecimals = (value: number): number => Math.round(value * 100) / 100;

/** Rounds the weights and omits those that become 0. */
function rounded(names: readonly string[], weights: Vector): Weights {
  const kept = names.flatMap((name, j): [string, number][] => {
    const weight = twoDecimals(at(weights, j));
    return weight === 0 ? [] : [[name, weight]];
  });
  return { bias: twoDecimals(at(weights, names.length)), weights: Object.fromEntries(kept) };
}
