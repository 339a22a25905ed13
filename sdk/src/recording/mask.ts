/** Returns the text to send in place of the given text. */
export type Mask = (text: string) => string;

/** Fields with texts of people and models. */
const contentFields = new Set([
  'prompt_preview',
  'response_preview',
  'tool_calls',
  'output',
  'attributes',
  'input_data',
  'output_data',
  'inputs',
  'result',
  'error',
  'comment',
  'metadata',
]);

/**
 * Masks every text of the content fields.
 *
 * @throws the errors of `mask`: a record that cannot be masked is not sent
 */
export function maskContent<T extends object>(mask: Mask | undefined, record: T): T {
  if (!mask) return record;
  const masked = Object.entries(record).map(([name, value]) => [
    name,
    contentFields.has(name) ? maskTexts(mask, value) : value,
  ]);
  return Object.fromEntries(masked) as T;
}

function maskTexts(mask: Mask, value: unknown): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskTexts(mask, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, maskTexts(mask, inner)]),
  );
}
