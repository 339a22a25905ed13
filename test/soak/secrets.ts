import { builtinDetectors } from '#domain/redaction/builtin.ts';
import { keyRules } from '#domain/redaction/key-rules.ts';
import { redactJson } from '#domain/redaction/redact-json.ts';
import { positives } from '#domain/redaction/testing/positives.ts';
import { randomOf } from '#domain/redaction/testing/random.ts';

export interface Secret {
  /** What a prompt says. */
  text: string;
  /** What must be found nowhere else. */
  secret: string;
}

const rules = { detectors: builtinDetectors(), keys: keyRules([]) };

/** A shorter one, or one of digits only, is also found where nobody wrote it. */
const isUnmistakable = ({ secret }: Secret): boolean =>
  secret.length >= 16 && /[a-z]/i.test(secret) && !secret.includes('\n');

/** How good the detectors are is measured elsewhere; here it matters that all they find is replaced. */
const isFound = ({ text, secret }: Secret): boolean =>
  !redactJson(JSON.stringify({ content: `prompt: ${text} 0123abcd` }), rules).value.includes(
    secret,
  );

const unmistakable = positives(randomOf(7)).filter(isUnmistakable);

/** Secrets of the corpus of the redaction. */
export const secrets: readonly Secret[] = unmistakable.filter(isFound);

/** Of the corpus, those that are not found within a prompt. */
export const notFound: readonly Secret[] = unmistakable.filter((one) => !isFound(one));
