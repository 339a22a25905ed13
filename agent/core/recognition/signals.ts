/**
 * What speaks for an app being there, and how much each kind weighs.
 *
 * Confidence is the chance that not every signal is wrong at once: 1 minus the product of
 * (1 - weight) over the distinct kinds. A second signal of the same kind adds nothing, because
 * it is not independent of the first.
 */
export const signalWeights = {
  /** A file or process bears the product's name. */
  name: 0.3,
  /** A folder of a home exists that the product writes, or others of its vendor. */
  home: 0.4,
  /** A folder exists that only this product writes. */
  data: 0.4,
  /** It says of itself, in its name or a sentence, that it is about AI; so do some that mention it. */
  description: 0.4,
  /** Something listens on the product's default port. */
  port: 0.4,
  /** A running process is the product's, by path or by the script it was started with. */
  process: 0.6,
  /** It lies where the product's installer puts it. */
  location: 0.6,
  /** The system has a record of it: a desktop entry, a package database. */
  registration: 0.6,
  /** The program itself holds what only this product has: build information, texts. */
  mark: 0.7,
  /** Its own metadata names it: bundle id, package or plugin manifest. */
  manifest: 0.8,
  /** A client's configuration declares it. */
  declaration: 0.9,
} as const;

export type SignalKind = keyof typeof signalWeights;

export interface Signal {
  kind: SignalKind;
  /** One line for people, without values that could be secret. */
  text: string;
}

const kindsOf = (signals: readonly Signal[]) => new Set(signals.map((signal) => signal.kind));

/**
 * Two kinds have to agree that speak for the program itself. A folder in a home is not one of them:
 * another product may have left it, so it only raises the confidence.
 */
export const isSufficient = (signals: readonly Signal[]): boolean =>
  kindsOf(signals.filter(({ kind }) => kind !== 'home')).size >= 2;

/** Confidence in 0..1, two decimals. */
export function confidenceOf(signals: readonly Signal[]): number {
  const doubt = [...kindsOf(signals)]
    .toSorted()
    .reduce((product, kind) => product * (1 - signalWeights[kind]), 1);
  return Math.round((1 - doubt) * 100) / 100;
}
