import type { ConditionalPrice, ModelInfo, ModelPrice, TieredPrices } from '@pydantic/genai-prices';
import { DAY_MS } from '#lib/time-units.ts';

/**
 * The usage of one call. `tokens_in` is gross: it includes tokens read from and written to a cache.
 */
export interface Usage {
  model: string;
  provider: string | null;
  tokens_in: number;
  tokens_out: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
}

/**
 * In USD per million tokens. Above the number of input tokens of a tier, its price applies to all
 * tokens.
 */
export interface Rate {
  base: number;
  tiers: readonly { start: number; price: number }[];
}

export interface Rates {
  input: Rate;
  output: Rate;
  cacheRead: Rate;
  cacheWrite: Rate;
  /** In USD per call, in addition to its tokens. */
  perCall: number;
}

interface Period {
  applies(at: number): boolean;
  rates: Rates;
}

/**
 * Prices over time. The last period that applies to a call's time sets its price; if none applies,
 * the first does.
 */
export type Schedule = readonly [Period, ...Period[]];

export const flatRate = (base: number): Rate => ({ base, tiers: [] });

export const alwaysAt = (rates: Rates): Schedule => [{ applies: () => true, rates }];

export function ratesAt(schedule: Schedule, at: number): Rates {
  return (schedule.findLast((period) => period.applies(at)) ?? schedule[0]).rates;
}

/** Returns the cost in USD. Every token is billed once, at a cache rate or at the full rate. */
export function costAt(rates: Rates, usage: Usage): number {
  const { cache_read_tokens: read, cache_write_tokens: written } = usage;
  // A client that wrongly sends net counts can have more cached tokens than input tokens.
  const gross = Math.max(usage.tokens_in, read + written);
  const millionths =
    (gross - read - written) * priceOf(rates.input, gross) +
    read * priceOf(rates.cacheRead, gross) +
    written * priceOf(rates.cacheWrite, gross) +
    usage.tokens_out * priceOf(rates.output, gross);
  return withoutRoundingErrors(millionths / 1e6 + rates.perCall);
}

function priceOf({ base, tiers }: Rate, tokensIn: number): number {
  let price = base;
  for (const tier of tiers) if (tokensIn > tier.start) price = tier.price;
  return price;
}

/** Removes the rounding errors of binary fractions. */
const withoutRoundingErrors = (usd: number): number => Math.round(usd * 1e12) / 1e12;

/**
 * Returns the schedule of a model; null if it is not billed by tokens but, for example, by audio
 * hour or page.
 */
export function scheduleOf({ prices }: Pick<ModelInfo, 'prices'>): Schedule | null {
  const conditional: ConditionalPrice[] = Array.isArray(prices) ? prices : [{ prices }];
  const periods: Period[] = [];
  for (const one of conditional) {
    const rates = ratesOf(one.prices);
    if (!rates) return null;
    periods.push({ applies: conditionOf(one), rates });
  }
  const [first, ...rest] = periods;
  return first ? [first, ...rest] : null;
}

/**
 * Returns the rates of a price. A model without any prices is free of charge. Without a cache rate,
 * cached tokens are billed as input.
 */
function ratesOf(price: ModelPrice): Rates | null {
  const billed = Object.keys(price);
  if (billed.length > 0 && !billed.includes('input_mtok') && !billed.includes('output_mtok'))
    return null;
  const input = rateOf(price['input_mtok'] ?? 0);
  const cached = (name: string): Rate => {
    const rate = price[name];
    return rate === undefined ? input : rateOf(rate);
  };
  return {
    input,
    output: rateOf(price['output_mtok'] ?? 0),
    cacheRead: cached('cache_read_mtok'),
    cacheWrite: cached('cache_write_mtok'),
    perCall: rateOf(price['requests_kcount'] ?? 0).base / 1000,
  };
}

function rateOf(price: number | TieredPrices): Rate {
  if (typeof price === 'number') return flatRate(price);
  return { base: price.base, tiers: price.tiers.toSorted((a, b) => a.start - b.start) };
}

function conditionOf({ constraint }: ConditionalPrice): Period['applies'] {
  if (!constraint) return () => true;
  if (constraint.type === 'start_date') {
    const start = Date.parse(constraint.start_date);
    return (at) => at >= start;
  }
  const [start, end] = [constraint.start_time, constraint.end_time].map(timeOfDay) as [
    number,
    number,
  ];
  return (at) => {
    const time = millisecondsOfDay(at);
    return end < start ? time >= start || time < end : time >= start && time < end;
  };
}

const millisecondsOfDay = (at: number): number => ((at % DAY_MS) + DAY_MS) % DAY_MS;

/** Returns the milliseconds since midnight UTC for a time such as `16:30:00Z`. */
const timeOfDay = (time: string): number => millisecondsOfDay(Date.parse(`1970-01-01T${time}`));
