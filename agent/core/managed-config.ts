import { z } from 'zod';
import type { ManagedConfig } from '#contract/deployment.ts';
import { managedConfig } from '#contract/deployment.ts';

export type ManagedConfigReading =
  | { config: ManagedConfig; problems: string[] }
  | { error: string };

const required = {
  api_url: 'an https URL',
  api_key: 'a string that is not empty',
} as const;

const capture = {
  capture_enabled: 'a boolean',
  intercept_hosts: 'an array of strings',
  intercept_processes: 'an array of strings',
} as const;

const dictionary = z.record(z.string(), z.unknown());
const fields = managedConfig.shape;

/**
 * The managed configuration in a parsed plist. Unknown keys, including `Payload*`, are ignored.
 * Without a valid `api_url` and `api_key` there is no configuration. A wrong type elsewhere
 * switches capture off, with one line per problem. Lines contain no values, because one of them is
 * a key.
 */
export function readManagedConfig(raw: unknown): ManagedConfigReading {
  const parsed = dictionary.safeParse(raw);
  if (!parsed.success || raw instanceof Uint8Array)
    return { error: `managed configuration: expected a dictionary, found ${kindOf(raw)}` };

  const missing = problemsOf(parsed.data, required, 'another string');
  if (missing.length > 0) return { error: missing.join('; ') };

  const problems = problemsOf(parsed.data, capture, 'a string');
  const { api_url, api_key } = parsed.data;
  const config = managedConfig.parse(problems.length > 0 ? { api_url, api_key } : parsed.data);
  const capture_enabled = config.capture_enabled && config.intercept_hosts.length > 0;
  return { config: { ...config, capture_enabled }, problems };
}

function problemsOf(
  raw: Record<string, unknown>,
  expected: Partial<Record<keyof typeof fields, string>>,
  aString: string,
): string[] {
  return Object.entries(expected)
    .filter(([key]) => !fields[key as keyof typeof fields].safeParse(raw[key]).success)
    .map(([key, what]) => `${key}: expected ${what}, found ${kindOf(raw[key], aString)}`);
}

function kindOf(value: unknown, aString = 'a string'): string {
  if (value === undefined || value === null) return 'nothing';
  if (value === '') return 'an empty string';
  if (typeof value === 'string') return aString;
  if (value instanceof Uint8Array) return 'data';
  if (value instanceof Date) return 'a date';
  if (Array.isArray(value)) return arrayKind(value);
  return typeof value === 'object' ? 'a dictionary' : `a ${typeof value}`;
}

function arrayKind(values: unknown[]): string {
  const odd = values.findIndex((value) => typeof value !== 'string');
  return odd < 0 ? 'an array' : `${kindOf(values[odd])} at position ${odd} of the array`;
}
