import { z } from 'zod';
import { compilePattern, MAX_TOTAL_PROGRAM_SIZE } from '#domain/redaction/patterns/pattern.ts';
import { credentialNames, personalDataNames } from './named-detectors.ts';

export const contentActions = ['warn', 'redact', 'block'] as const;
const action = z.enum(contentActions);

const customPattern = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9_]{0,49}$/,
      'expected 1 to 50 letters, digits and _, beginning with a letter',
    ),
  pattern: z.string().min(1).max(500),
  action: action.default('warn'),
});
type CustomPattern = z.output<typeof customPattern>;

/** Rejects patterns that are invalid or too complex, and names each of them. */
const runnable = z.superRefine<CustomPattern[]>((patterns, context) => {
  let size = 0;
  for (const [index, { name, pattern }] of patterns.entries()) {
    const compiled = compilePattern(name, pattern);
    const path = [index, 'pattern'];
    if ('error' in compiled)
      context.addIssue({ code: 'custom', path, message: `${name} ${compiled.error}` });
    else size += compiled.matcher.programSize();
    if (patterns.findIndex((other) => other.name === name) < index)
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: `duplicate name "${name}"`,
      });
  }
  if (size > MAX_TOTAL_PROGRAM_SIZE)
    context.addIssue({
      code: 'custom',
      message: `all patterns together are too complex: ${size} steps, at most ${MAX_TOTAL_PROGRAM_SIZE}`,
    });
});

const length = z.int().min(1).max(100_000_000).nullish();

export const contentRules = z.strictObject({
  scan_inputs: z.boolean().default(true),
  scan_outputs: z.boolean().default(true),
  pii_detection: z
    .strictObject({
      enabled: z.boolean().default(false),
      action: action.default('warn'),
      types: z.array(z.enum(personalDataNames)).default(['ssn', 'email', 'phone', 'credit_card']),
    })
    .prefault({}),
  credential_detection: z
    .strictObject({
      enabled: z.boolean().default(false),
      action: action.default('block'),
      patterns: z.array(z.enum(credentialNames)).default(credentialNames),
    })
    .prefault({}),
  prompt_injection_guard: z
    .strictObject({ enabled: z.boolean().default(false), action: action.default('block') })
    .prefault({}),
  custom_patterns: z.array(customPattern).max(50).check(runnable).default([]),
  blocked_phrases: z.array(z.string().min(1).max(500)).max(500).default([]),
  max_input_length: length,
  max_output_length: length,
});
export type ContentRules = z.output<typeof contentRules>;
