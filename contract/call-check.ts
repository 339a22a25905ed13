import { z } from 'zod';
import { captureReport, redactionCounts } from './captures.ts';

/**
 * Characters of a request's text that a device sends along when it asks. Together with what the user
 * said last they are fewer than policies look at, so that nothing counts as not looked at.
 */
export const LONGEST_CHECKED_REQUEST = 160 * 1024;
export const LONGEST_CHECKED_PROMPT = 32 * 1024;

/** A call of an LLM that a device holds until policies were asked. */
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
  request: z.string().max(LONGEST_CHECKED_REQUEST).nullable().meta({
    description: 'its body, redacted; null where it is no text',
  }),
  request_truncated: z.boolean().meta({ description: 'does the body go on behind that?' }),
  prompt: z.string().max(LONGEST_CHECKED_PROMPT).nullable().meta({
    description: 'what the user said last, redacted, where the body goes on behind its text',
  }),
  redactions: redactionCounts.meta({ description: 'what the device redacted: kind to count' }),
});
export type CallCheck = z.output<typeof callCheck>;

export const callVerdict = z.object({
  refused: z.boolean(),
  policy: z.string().nullable().meta({ description: 'the name of the policy that refuses' }),
  reason: z.string().meta({ description: 'for the person who made the call' }),
});
export type CallVerdict = z.output<typeof callVerdict>;
