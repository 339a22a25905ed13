/** The body of a request to a model. */
export type ModelBody = Record<string, unknown>;

/** The error of a library for a rejected request. */
export interface ProviderRefusal {
  status?: unknown;
  /** The name of the rejected parameter, if the provider reports it separately. */
  param?: unknown;
  message?: unknown;
}

const SETTINGS = [
  'temperature',
  'top_p',
  'stop',
  'stop_sequences',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'response_format',
];
const DROPPED = [...SETTINGS, 'stream_options'];
/**
 * The two names of one limit. Servers support the old one, newer models only the new one, and some
 * both.
 */
const RENAMED = { max_tokens: 'max_completion_tokens', max_completion_tokens: 'max_tokens' };
const UNKNOWN =
  /unsupported|not support|unrecogni[sz]ed|unknown|unexpected|extra|not (permitted|allowed)|deprecated|cannot both/i;

/**
 * Returns the body to try next after a model rejected an unsupported setting: without that setting,
 * or with its other name. Returns undefined if the error has another cause, or if everything was
 * tried.
 *
 * @param tried the names that were rejected before, to which the new one is added
 */
export function adaptBody(
  body: ModelBody,
  { status, param, message }: ProviderRefusal,
  tried: Set<string>,
): ModelBody | undefined {
  const text = String(message);
  if ((status !== 400 && status !== 422) || !UNKNOWN.test(text)) return undefined;
  const names = Object.keys(body).filter((name) => name in RENAMED || DROPPED.includes(name));
  const named = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
  const refused = names.find((name) => name === param) ?? names.find(named);
  if (refused === undefined) return undefined;
  tried.add(refused);
  const { [refused]: value, ...rest } = body;
  if (DROPPED.includes(refused)) return rest;
  const other = RENAMED[refused as keyof typeof RENAMED];
  return tried.has(other) ? undefined : { ...rest, [other]: value };
}

/** Returns the rejected settings, under their names in the config of a prompt. */
export const settingsOf = (tried: ReadonlySet<string>): string[] =>
  [...tried]
    .filter((name) => SETTINGS.includes(name))
    .map((name) => (name === 'stop_sequences' ? 'stop' : name));
