import type { UnmappedExample } from '#contract/otel.ts';
import type { Masker } from '../settings/masking/masker.ts';
import type { Attributes, Json } from './attributes.ts';

/** What may be stored of the values of unmapped names. */
export interface ContentRules {
  masker: Masker;
  /**
   * Whether texts may be stored. A text without a rule may be a prompt or the output of a tool, so
   * only a device that reports both keeps it.
   */
  keepsTexts: boolean;
}

/** Returns the example of a value that was received, within these rules. */
export type ExampleOf = (rules: ContentRules) => UnmappedExample;

const MAX_TEXT = 100;
/** The maximum length of an event's text, and of each value in it. */
const MAX_EVENT_TEXT = 500;
const MAX_MEMBER_TEXT = 40;

/**
 * Returns the type of a value and its first characters. Names of usage have numbers, which are kept
 * in any case.
 */
export function exampleOfAttribute(
  name: string,
  value: Json,
  { masker, keepsTexts }: ContentRules,
): UnmappedExample {
  const shape = shapeOf(value);
  if (mayHoldTexts(shape) && !keepsTexts) return { ...shape, text: null };
  // Masked before it is shortened, because the start of a secret would not be recognized.
  const [masked] = Object.values(masker.mask({ [name]: value }));
  return { ...shape, text: shortened(textOf(masked), MAX_TEXT) };
}

/**
 * Returns the attributes of an event as `name=value`. Numbers come first, so that usage is not cut
 * off. Without texts, the types of the other values remain, such as `string(12)`.
 */
export function exampleOfEvent(
  attributes: Attributes,
  { masker, keepsTexts }: ContentRules,
): UnmappedExample {
  const members = Object.entries(masker.mask(keepsTexts ? attributes : withoutTexts(attributes)));
  const [facts, others] = [
    members.filter(([, value]) => !mayHoldTexts(shapeOf(value))),
    members.filter(([, value]) => mayHoldTexts(shapeOf(value))),
  ];
  const texts = [...facts, ...others].map(
    ([name, value]) => `${name}=${shortened(textOf(value), MAX_MEMBER_TEXT)}`,
  );
  return {
    type: 'event',
    length: members.length,
    text: shortened(texts.join(' '), MAX_EVENT_TEXT),
  };
}

type Shape = Pick<UnmappedExample, 'type' | 'length'>;

function shapeOf(value: Json): Shape {
  if (typeof value === 'string') return { type: 'string', length: value.length };
  if (typeof value === 'number') return { type: 'number', length: null };
  if (typeof value === 'boolean') return { type: 'boolean', length: null };
  if (value === null) return { type: 'null', length: null };
  if (Array.isArray(value)) return { type: 'array', length: value.length };
  return { type: 'object', length: Object.keys(value).length };
}

const mayHoldTexts = ({ length }: Shape): boolean => length !== null;

const withoutTexts = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const { type, length } = shapeOf(value);
      return [name, length === null ? value : `${type}(${length})`];
    }),
  );

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
