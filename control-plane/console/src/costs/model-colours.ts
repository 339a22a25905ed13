import { OWN_COLOURS } from '../charts/chart-rules.ts';

export { OWN_COLOURS };

/** Index in the palette: a model keeps its colour as long as the ranking is the same. */
export const colourOf = (ranking: readonly string[], model: string): number => {
  const rank = ranking.indexOf(model);
  return rank < 0 || rank > OWN_COLOURS ? OWN_COLOURS : rank;
};
