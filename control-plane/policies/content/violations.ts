import type { Action } from '#contract/policy-actions.ts';
import type { Check } from './checks.ts';

/** A match and its location. It never contains the matched text, which may be a secret. */
export interface Violation {
  target: 'input' | 'prompt' | 'response' | 'output';
  type: Check['type'] | 'length' | 'not_scanned';
  /** The name of the match; for lengths, the number of characters and the limit. */
  matched: string;
  action: Action;
}

const titles: Readonly<Record<Violation['type'], string>> = {
  pii: 'PII detected',
  credential: 'Credentials detected',
  prompt_injection: 'Prompt injection detected',
  profanity: 'Profanity detected',
  custom_pattern: 'Pattern matched',
  blocked_phrase: 'Blocked phrase',
  length: 'Too long',
  not_scanned: 'Characters not scanned',
};

/**
 * Describes violations, for example `Input content violations: PII detected: ssn, email; Blocked
 * phrase: internal use`.
 */
export function describeViolations(violations: readonly Violation[]): string {
  const targets = [...new Set(violations.map(({ target }) => target))];
  return targets
    .map((target) => {
      const matching = violations.filter((violation) => violation.target === target);
      const name = `${target.charAt(0).toUpperCase()}${target.slice(1)}`;
      return `${name} content violations: ${describeTypes(matching)}`;
    })
    .join('; ');
}

function describeTypes(violations: readonly Violation[]): string {
  const types = [...new Set(violations.map(({ type }) => type))];
  return types
    .map((type) => {
      const matching = violations.filter((violation) => violation.type === type);
      const names = matching.map(({ matched }) => matched).filter((name) => name !== type);
      return names.length > 0 ? `${titles[type]}: ${names.join(', ')}` : titles[type];
    })
    .join('; ');
}
