import { z } from 'zod';
import { count } from './fields.ts';
import { routes } from './route.ts';

/**
 * The types that masking detects without configuration. The placeholder of EMAIL is `##EMAIL##`.
 */
export const builtinTypes = [
  'PRIVATE_KEY',
  'JWT',
  'API_KEY',
  'AUTHORIZATION',
  'PASSWORD',
  'SECRET',
  'URL_CREDENTIALS',
  'EMAIL',
  'CREDIT_CARD',
  'IBAN',
  'US_SSN',
  'NATIONAL_ID',
  'PHONE',
  'IP_ADDRESS',
  'MAC_ADDRESS',
  'PERSON_NAME',
  'POSTAL_ADDRESS',
] as const;
export type BuiltinType = (typeof builtinTypes)[number];

const MAX_RULES = 50;

const type = z
  .string()
  .regex(
    /^[A-Z][A-Z0-9_]{0,49}$/,
    'expected 1 to 50 of A-Z, 0-9 and _, starting with a letter, such as EMPLOYEE_ID',
  );

const few = <S extends z.ZodType>(rule: S) =>
  z.array(rule).max(MAX_RULES, `expected at most ${MAX_RULES}`);

/** Rejects rules with duplicate names. */
const distinct = <T>(nameOf: (rule: T) => string) =>
  z.superRefine<T[]>((rules, context) => {
    const names = new Set<string>();
    for (const [index, rule] of rules.entries()) {
      const name = nameOf(rule);
      if (names.has(name))
        context.addIssue({ code: 'custom', path: [index], message: `duplicate name "${name}"` });
      names.add(name);
    }
  });

export const keyRule = z.strictObject({
  key: z
    .string()
    .max(200)
    .regex(/^[^.]+(\.[^.]+)*$/, 'expected a name, or names separated by single dots')
    .meta({
      description:
        'a member name, or the end of a path such as `customer.email`; `*` matches any one name; case-insensitive',
    }),
  type,
});
export type MemberRule = z.output<typeof keyRule>;

export const patternRule = z.strictObject({
  name: type,
  pattern: z.string().min(1).max(500).meta({ description: 'a regular expression in RE2 syntax' }),
});
export type PatternRule = z.output<typeof patternRule>;

export const masking = z.strictObject({
  enabled: z.boolean(),
  builtin: z.array(z.enum(builtinTypes)).check(distinct(String)),
  keys: few(keyRule).check(distinct(({ key }) => key.toLowerCase())),
  patterns: few(patternRule).check(distinct(({ name }) => name)),
});
export type Masking = z.output<typeof masking>;

/**
 * The tenant's masking rules in addition to the built-in types, as sent to devices. They are not
 * strict, so that later control planes can add fields.
 */
export const ownRules = z.object({
  keys: few(z.object(keyRule.shape)),
  patterns: few(z.object(patternRule.shape)),
});
export type OwnRules = z.output<typeof ownRules>;

const days = z.int().min(1).max(3650).nullable();

export const recordingSettings = z.strictObject({
  retention_days: days.meta({
    description:
      'days after which recordings, and memory not written since, are deleted; null: never',
  }),
  capture_retention_days: days.meta({
    description: 'days after which captured exchanges are deleted; null: as retention_days',
  }),
  masking,
});
export type RecordingSettings = z.output<typeof recordingSettings>;

/** By default, nothing is masked or deleted. */
export const defaultRecordingSettings: RecordingSettings = {
  retention_days: null,
  capture_retention_days: null,
  masking: { enabled: false, builtin: [], keys: [], patterns: [] },
};

const session = { auth: 'session', errors: 'text' } as const;

export const settingsRoutes = routes({
  getRecordingSettings: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/settings/recording/',
    summary: 'The recording settings: retention and masking',
    response: recordingSettings,
  },
  putRecordingSettings: {
    ...session,
    role: 'admin',
    method: 'PUT',
    path: '/api/v1/settings/recording/',
    summary: 'Replace the recording settings; they apply to recordings from now on',
    body: recordingSettings.extend({
      capture_retention_days: recordingSettings.shape.capture_retention_days
        .optional()
        .meta({ description: 'default: unchanged' }),
    }),
    response: recordingSettings,
  },
  tryMasking: {
    ...session,
    role: 'analyst',
    method: 'POST',
    path: '/api/v1/settings/recording/try/',
    summary: 'Mask a sample with the given rules, even if disabled; nothing is stored',
    body: z.strictObject({
      masking,
      sample: z
        .unknown()
        .refine((sample) => sample !== undefined, 'is required')
        .meta({ description: 'any JSON' }),
    }),
    response: z.object({
      masked: z.unknown().meta({ description: 'the sample as it would be stored' }),
      counts: z.record(z.string(), count).meta({ description: 'placeholders by type' }),
    }),
  },
});
