import { builtinDetectors } from '#domain/redaction/builtin.ts';
import { memberRules } from '#domain/redaction/member-rules.ts';
import { redactJson } from '#domain/redaction/redact-json.ts';
import { positives } from '#domain/redaction/testing/positives.ts';
import { randomOf } from '#domain/redaction/testing/random.ts';

export interface Secret {
  /** The text of the prompt. */
  text: string;
  /** The secret in the text, which must not be found anywhere. */
  secret: string;
}

const rules = { detectors: builtinDetectors(), keys: memberRules([]) };

/** A shorter secret, or one of digits only, also occurs by chance. */
const isUnmistakable = ({ secret }: Secret): boolean =>
  secret.length >= 16 && /[a-z]/i.test(secret) && !secret.includes('\n');

/** Other tests measure the detectors. Here, everything that they find must be replaced. */
const isFound = ({ text, secret }: Secret): boolean =>
  !redactJson(JSON.stringify({ content: `prompt: ${text} 0123abcd` }), rules).value.includes(
    secret,
  );

const unmistakable = positives(randomOf(7)).filter(isUnmistakable);

/** Secrets of the redaction corpus. */
export const secrets: readonly Secret[] = unmistakable.filter(isFound);

/** Secrets of the corpus that are not found within a prompt. */
export const notFound: readonly Secret[] = unmistakable.filter((one) => !isFound(one));
