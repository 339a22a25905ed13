import { roundedCost } from '../llm-calls/rules.ts';
import { dateOf } from './period.ts';

export interface ModelDay {
  /** The day, counted since 1970. */
  day: number;
  model: string;
  calls: number;
  tokens: number;
  cost: number;
}

interface Usage {
  total_cost: number;
  total_tokens: number;
  total_calls: number;
}

const add = (sum: Usage, { cost, tokens, calls }: Omit<ModelDay, 'day' | 'model'>): Usage => ({
  total_cost: roundedCost(sum.total_cost + cost),
  total_tokens: sum.total_tokens + tokens,
  total_calls: sum.total_calls + calls,
});

const NOTHING: Usage = { total_cost: 0, total_tokens: 0, total_calls: 0 };

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sums days to models, and models to totals, so that all three agree. */
export function summarizeModels(stored: readonly ModelDay[]) {
  const days = stored.toSorted((a, b) => a.day - b.day || byText(a.model, b.model));
  const models = [...Map.groupBy(days, ({ model }) => model)].map(([model, own]) => ({
    model,
    ...own.reduce(add, NOTHING),
  }));
  const aggregates = models.reduce(
    (sum, { total_cost: cost, total_tokens: tokens, total_calls: calls }) =>
      add(sum, { cost, tokens, calls }),
    NOTHING,
  );
  const percentageOf = (cost: number): number =>
    aggregates.total_cost > 0 ? (cost / aggregates.total_cost) * 100 : 0;
  return {
    aggregates,
    model_totals: models
      .map((model) => ({ ...model, percentage: percentageOf(model.total_cost) }))
      .sort((a, b) => b.total_cost - a.total_cost || byText(a.model, b.model)),
    time_series: days.map(({ day, cost, ...usage }) => ({
      date: dateOf(day),
      cost: roundedCost(cost),
      ...usage,
    })),
  };
}
