import { z } from 'zod';
import { captureReport, redactionCounts } from './captures.ts';

/**
 * The maximum length, in characters, of the request text that a device sends with a check. Together
 * with the last prompt it stays below the policies' scan limit, so that no part is reported as
 * unscanned.
 */
export const MAX_CHECKED_REQUEST_LENGTH = 160 * 1024;
export const MAX_CHECKED_PROMPT_LENGTH = 32 * 1024;

/** An LLM call that a device holds until policies are evaluated. */
export const callCheck = z.strictObject({
  ...captureReport.pick({
    host: true,
    app_id: true,
    process: true,
    user: true,
    path: true,
    provider: true,
    model: true,
  }).shape,
  request: z.string().max(MAX_CHECKED_REQUEST_LENGTH).nullable().meta({
    description: 'redacted request body; null if it is not text',
  }),
  request_truncated: z.boolean().meta({ description: 'true: the body is longer' }),
  prompt: z.string().max(MAX_CHECKED_PROMPT_LENGTH).nullable().meta({
    description: 'the last user prompt, redacted, if the body is truncated',
  }),
  redactions: redactionCounts.meta({ description: 'number of redactions on the device, by kind' }),
});
export type CallCheck = z.output<typeof callCheck>;

export const callVerdict = z.object({
  refused: z.boolean(),
  policy: z.string().nullable().meta({ description: 'name of the policy that refused the call' }),
  reason: z.string().meta({ description: 'shown to the user who made the call' }),
});
export type CallVerdict = z.output<typeof callVerdict>;
