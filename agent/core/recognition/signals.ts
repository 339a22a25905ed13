/**
 * Evidence for an app, with the weight of each kind.
 *
 * Confidence is the probability that not all signals are wrong: 1 minus the product of (1 - weight)
 * over the distinct kinds. Several signals of one kind count once, because they are not
 * independent.
 */
export const signalWeights = {
  /** A file or process has the product's name. */
  name: 0.3,
  /** A home contains a folder that this product or its vendor's others write. */
  home: 0.4,
  /** A folder exists that only this product writes. */
  data: 0.4,
  /**
   * Its name or description says that it is about AI, which is also true of a program that only
   * mentions AI.
   */
  description: 0.4,
  /** A process listens on the product's default port. */
  port: 0.4,
  /** A running process is the product's, by its path or script. */
  process: 0.6,
  /** It is in the folder where the product's installer puts it. */
  location: 0.6,
  /** The system has a record of it: a desktop entry, a package database. */
  registration: 0.6,
  /** The program contains something unique to the product: build information, texts. */
  mark: 0.7,
  /** Its own metadata names it: bundle id, package or plugin manifest. */
  manifest: 0.8,
  /** A client's configuration declares it. */
  declaration: 0.9,
} as const;

export type SignalKind = keyof typeof signalWeights;

export interface Signal {
  kind: SignalKind;
  /** One line for people, without values that may be secret. */
  text: string;
}

const kindsOf = (signals: readonly Signal[]) => new Set(signals.map((signal) => signal.kind));

/**
 * Whether the signals suffice: two kinds of evidence for the program itself are required. A folder
 * in a home is not one of them, because another product may have left it: it only raises the
 * confidence.
 */
export const isSufficient = (signals: readonly Signal[]): boolean =>
  kindsOf(signals.filter(({ kind }) => kind !== 'home')).size >= 2;

/** Returns the confidence in 0..1, with two decimals. */
export function confidenceOf(signals: readonly Signal[]): number {
  const doubt = [...kindsOf(signals)]
    .toSorted()
    .reduce((product, kind) => product * (1 - signalWeights[kind]), 1);
  return Math.round((1 - doubt) * 100) / 100;
}
