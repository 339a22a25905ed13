import { z } from 'zod';
import { count } from './fields.ts';
import { routes } from './route.ts';

/** What masking can find without being told how: the placeholder of EMAIL is `##EMAIL##`. */
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
  'PERSON_NAME',
  'POSTAL_ADDRESS',
] as const;
export type BuiltinType = (typeof builtinTypes)[number];

const MAX_RULES = 50;

const type = z
  .string()
  .regex(
    /^[A-Z][A-Z0-9_]{0,49}$/,
    'expected 1 to 50 of A-Z, 0-9 and _, beginning with a letter, such as EMPLOYEE_ID',
  );

const few = <S extends z.ZodType>(rule: S) =>
  z.array(rule).max(MAX_RULES, `expected at most ${MAX_RULES}`);

/** Refuses a second rule of the same name, and says which name. */
const distinct = <T>(nameOf: (rule: T) => string) =>
  z.superRefine<T[]>((rules, context) => {
    const seen = new Set<string>();
    for (const [index, rule] of rules.entries()) {
      const name = nameOf(rule);
      if (seen.has(name))
        context.addIssue({ code: 'custom', path: [index], message: `"${name}" is there twice` });
      seen.add(name);
    }
  });

export const keyRule = z.strictObject({
  key: z
    .string()
    .max(200)
    .regex(/^[^.]+(\.[^.]+)*$/, 'expected a name, or names separated by single dots')
    .meta({
      description:
        'a member name, or the end of a path such as `customer.email`; `*` stands for any one name; upper and lower case are the same',
    }),
  type,
});
export type KeyRule = z.output<typeof keyRule>;

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
 * What a tenant masks besides the built-in types, as devices are told. Not strict: what a later
 * control plane adds is no reason to refuse a configuration.
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
      'what is recorded is deleted after so many days, and memory that was not written for so long; null: never',
  }),
  capture_retention_days: days.meta({
    description: 'captured exchanges are deleted after so many days; null: as retention_days says',
  }),
  masking,
});
export type RecordingSettings = z.output<typeof recordingSettings>;

/** Nothing is masked and nothing deleted until an admin wants it. */
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
    summary: 'How long recordings are kept, and what is masked in them',
    response: recordingSettings,
  },
  putRecordingSettings: {
    ...session,
    role: 'admin',
    method: 'PUT',
    path: '/api/v1/settings/recording/',
    summary: 'Replace the recording settings; they hold for what is recorded from now on',
    body: recordingSettings.extend({
      capture_retention_days: recordingSettings.shape.capture_retention_days
        .optional()
        .meta({ description: 'left out: as it was' }),
    }),
    response: recordingSettings,
  },
  tryMasking: {
    ...session,
    role: 'analyst',
    method: 'POST',
    path: '/api/v1/settings/recording/try/',
    summary: 'Mask a sample with the given rules, whether or not enabled; nothing is stored',
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
