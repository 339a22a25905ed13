import { english, type MessageKey, type Messages } from './english.ts';
import { pseudo } from './pseudo.ts';

type TextOf<K extends MessageKey> = (typeof english)[K] extends { other: infer O }
  ? O
  : (typeof english)[K];
type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type Counted<K extends MessageKey> = (typeof english)[K] extends string ? never : 'count';
type Values<K extends MessageKey> = Record<
  Exclude<NamesIn<TextOf<K>> | Counted<K>, 'count'>,
  string | number
> &
  Record<Extract<NamesIn<TextOf<K>> | Counted<K>, 'count'>, number>;

/** Puts everything into words of one language. Times are ms since 1970. */
export interface Translator {
  /** Of the words, and so of the page. */
  language: string;
  translate: <K extends MessageKey>(
    key: K,
    ...values: keyof Values<K> extends never ? [] : [values: Values<K>]
  ) => string;
  number: (value: number) => string;
  list: (names: readonly string[]) => string;
  /** The day of a time in ms. */
  day: (ms: number) => string;
  /** The time of day, to the minute. */
  time: (ms: number) => string;
  /** Day and time, to the second. */
  moment: (ms: number) => string;
  /** Null where the system does not count them. */
  bytes: (bytes: number | null) => string;
}

/** By language; a further one is one more table. */
const tables: Record<string, Messages> = { en: english, 'en-XA': pseudo };

/** A speaker for a locale such as `en-US`. Where there are no words for its language, English. */
export function createTranslator(locale: string): Translator {
  const language = languageOf(locale);
  const words = tables[language] ?? english;
  // Dates must be in the language of the text around them.
  const dates = locale.startsWith('en-') && language === 'en' ? locale : 'en-GB';
  const number = new Intl.NumberFormat(dates);
  const plural = new Intl.PluralRules(dates);
  const conjunction = new Intl.ListFormat(dates, { type: 'conjunction' });
  const day = new Intl.DateTimeFormat(dates, { dateStyle: 'long' });
  const time = new Intl.DateTimeFormat(dates, { hour: '2-digit', minute: '2-digit' });
  const moment = new Intl.DateTimeFormat(dates, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

  const translate = (key: MessageKey, values: Record<string, string | number> = {}): string => {
    const word = words[key];
    const text = typeof word === 'string' ? word : word[formOf(plural, values['count'])];
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? '';
      return typeof value === 'number' ? number.format(value) : value;
    });
  };
  return {
    language,
    translate,
    number: (value) => number.format(value),
    list: (names) => conjunction.format(names),
    day: (ms) => day.format(ms),
    time: (ms) => time.format(ms),
    moment: (ms) => moment.format(ms),
    bytes: (bytes) =>
      bytes === null ? translate('none') : translate(...formatUnits(bytes, dates)),
  };
}

function languageOf(locale: string): string {
  const [language = ''] = locale.split('-');
  return [locale, language].find((one) => Object.hasOwn(tables, one)) ?? 'en';
}

const formOf = (plural: Intl.PluralRules, count: string | number | undefined): 'one' | 'other' =>
  plural.select(Number(count)) === 'one' ? 'one' : 'other';

const units = ['unit.B', 'unit.kB', 'unit.MB', 'unit.GB', 'unit.TB'] as const;

/** In decimal units, with three digits at most. */
function formatUnits(bytes: number, locale: string): [MessageKey, { amount: string }] {
  let value = bytes;
  let unit = 0;
  // 999.5 would be shown as 1000 of the smaller unit.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return [
    units[unit] ?? 'unit.TB',
    { amount: new Intl.NumberFormat(locale, { ...format, useGrouping: false }).format(value) },
  ];
}
