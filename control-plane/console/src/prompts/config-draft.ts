import { t } from '@lingui/core/macro';

/** Form state of a config: each setting as typed, or an empty string. */
export interface ConfigDraft {
  model: string;
  temperature: string;
  max_tokens: string;
  top_p: string;
  /** A JSON array. */
  tools: string;
  /** Type of the response format; empty if there is none. */
  format: string;
  /** JSON of the format, if its type has further members. */
  schema: string;
  /** A JSON object with all other members. */
  others: string;
}

export type ConfigErrors = Partial<Record<keyof ConfigDraft, string>>;
export type Config = Record<string, unknown>;

export const formats = ['text', 'json_object', 'json_schema'] as const;

export const emptyConfig: ConfigDraft = {
  model: '',
  temperature: '',
  max_tokens: '',
  top_p: '',
  tools: '',
  format: '',
  schema: '',
  others: '',
};

const numbers = {
  temperature: { least: 0, most: 2, whole: false },
  max_tokens: { least: 1, most: 1_000_000, whole: true },
  top_p: { least: 0, most: 1, whole: false },
} as const;
type NumberName = keyof typeof numbers;
const numberNames = Object.keys(numbers) as NumberName[];

/** Converts a config to a draft. Members that no field can show go to `others`. */
export function draftOfConfig(config: Config): ConfigDraft {
  const { model, tools, response_format, ...rest } = config;
  const draft = { ...emptyConfig };
  const others: Config = {};
  if (typeof model === 'string') draft.model = model;
  else if (model !== undefined) others['model'] = model;
  if (Array.isArray(tools)) draft.tools = JSON.stringify(tools, null, 2);
  else if (tools !== undefined) others['tools'] = tools;
  if (!readFormat(draft, response_format) && response_format !== undefined)
    others['response_format'] = response_format;
  for (const [name, value] of Object.entries(rest)) {
    const field = numberNames.find((one) => one === name);
    if (field && typeof value === 'number') draft[field] = String(value);
    else others[name] = value;
  }
  if (Object.keys(others).length > 0) draft.others = JSON.stringify(others, null, 2);
  return draft;
}

function readFormat(draft: ConfigDraft, format: unknown): boolean {
  if (!isObject(format)) return false;
  const { type, json_schema, ...more } = format;
  const known = formats.find((one) => one === type);
  if (!known || Object.keys(more).length > 0) return false;
  if ((known === 'json_schema') !== isObject(json_schema)) return false;
  draft.format = known;
  if (known === 'json_schema') draft.schema = JSON.stringify(json_schema, null, 2);
  return true;
}

/** Returns the config, or the errors of its fields. */
export function configOf(
  draft: ConfigDraft,
): { config: Config; errors?: never } | { errors: ConfigErrors } {
  const config: Config = {};
  const errors: ConfigErrors = {};
  if (draft.model.trim() !== '') config['model'] = draft.model.trim();
  for (const name of numberNames) readNumber(draft, name, config, errors);
  const tools = readJson(draft.tools);
  if (tools === INVALID || (tools !== undefined && !Array.isArray(tools)))
    errors.tools = t`Expected a JSON array of tools.`;
  else if (tools !== undefined) config['tools'] = tools;
  readSchema(draft, config, errors);
  const others = readJson(draft.others);
  if (others === INVALID || (others !== undefined && !isObject(others)))
    errors.others = t`Expected a JSON object.`;
  else Object.assign(config, { ...(others as object), ...config });
  return Object.keys(errors).length > 0 ? { errors } : { config };
}

function readNumber(
  draft: ConfigDraft,
  name: NumberName,
  config: Config,
  errors: ConfigErrors,
): void {
  const text = draft[name].trim();
  if (text === '') return;
  const { least, most, whole } = numbers[name];
  const value = Number(text);
  const fits = value >= least && value <= most && (!whole || Number.isInteger(value));
  if (fits) config[name] = value;
  else
    errors[name] = whole
      ? t`Expected a whole number from ${least} to ${most}.`
      : t`Expected a number from ${least} to ${most}.`;
}

function readSchema(draft: ConfigDraft, config: Config, errors: ConfigErrors): void {
  if (draft.format === '') return;
  if (draft.format !== 'json_schema') {
    config['response_format'] = { type: draft.format };
    return;
  }
  const json_schema = readJson(draft.schema);
  if (isObject(json_schema)) config['response_format'] = { type: draft.format, json_schema };
  else errors.schema = t`Expected a JSON object with name and schema.`;
}

const INVALID = Symbol('invalid JSON');

/** Parses JSON; undefined for empty text. */
function readJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return INVALID;
  }
}

const isObject = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
