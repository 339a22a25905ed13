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

/** Formats messages and values for one locale. Times are in milliseconds since 1970. */
export interface Translator {
  /** The language of the messages, as a BCP 47 tag. */
  language: string;
  translate: <K extends MessageKey>(
    key: K,
    ...values: keyof Values<K> extends never ? [] : [values: Values<K>]
  ) => string;
  number: (value: number) => string;
  list: (names: readonly string[]) => string;
  /** Formats the day, such as `22 November 2026`. */
  day: (ms: number) => string;
  /** Formats the time of day, to the minute. */
  time: (ms: number) => string;
  /** Formats day and time, to the second. */
  moment: (ms: number) => string;
  /** Formats a size; null if it is unknown. */
  bytes: (bytes: number | null) => string;
}

/** The messages of each language. */
const tables: Record<string, Messages> = { en: english, 'en-XA': pseudo };

/** Creates a translator for a locale such as `en-US`. Languages without messages fall back to English. */
export function createTranslator(locale: string): Translator {
  const language = languageOf(locale);
  const words = tables[language] ?? english;
  // Dates are in the language of the messages.
  const formats = locale.startsWith('en-') && language === 'en' ? locale : 'en-GB';
  const number = new Intl.NumberFormat(formats);
  const plural = new Intl.PluralRules(formats);
  const conjunction = new Intl.ListFormat(formats, { type: 'conjunction' });
  const day = new Intl.DateTimeFormat(formats, { dateStyle: 'long' });
  const time = new Intl.DateTimeFormat(formats, { hour: '2-digit', minute: '2-digit' });
  const moment = new Intl.DateTimeFormat(formats, {
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
      bytes === null ? translate('none') : translate(...formatUnits(bytes, formats)),
  };
}

function languageOf(locale: string): string {
  const [language = ''] = locale.split('-');
  return [locale, language].find((one) => Object.hasOwn(tables, one)) ?? 'en';
}

const formOf = (plural: Intl.PluralRules, count: string | number | undefined): 'one' | 'other' =>
  plural.select(Number(count)) === 'one' ? 'one' : 'other';

const units = ['unit.B', 'unit.kB', 'unit.MB', 'unit.GB', 'unit.TB'] as const;

/** Converts a size to a decimal unit, with at most three digits. */
function formatUnits(bytes: number, locale: string): [MessageKey, { amount: string }] {
  let value = bytes;
  let unit = 0;
  // 999.5 would be rounded to 1000 of the smaller unit.
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
