/** A way to write a value after its name without an operator between them. */
export interface ValueNotation {
  /** Characters that may follow the name. */
  next: string;
  /** A sticky lookbehind at the start of the name. */
  before: RegExp;
  /** A sticky pattern from the end of the name to the value or its quote. */
  between: RegExp;
  /** Any word is a value, because the notation is not part of prose. */
  isSetting?: true;
  /** The value is a whole cell of a table, so what follows it tells nothing of it. */
  isCell?: true;
  /** The value is the text of an element, up to the next tag. */
  isElement?: true;
  /** The character that ends a value without quotes, although values elsewhere may contain it. */
  endsAt?: string;
  /** What follows the name is tested first, because most names fit `before`. */
  followsFirst?: true;
  source: string;
  /** The value is in brackets. */
  example: string;
  counterExample: string;
}
