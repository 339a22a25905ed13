import type { Action } from '#contract/policy-words.ts';
import type { Check } from './checks.ts';

/** What was found where. It never holds what was found itself: that may be a secret. */
export interface Violation {
  target: 'input' | 'prompt' | 'response' | 'output';
  type: Check['type'] | 'length' | 'not_scanned';
  /** The name of what was found; of lengths, the characters and how many there may be. */
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

/** `Input content violations: PII detected: ssn, email; Blocked phrase: internal use` */
export function describeViolations(violations: readonly Violation[]): string {
  const targets = [...new Set(violations.map(({ target }) => target))];
  return targets
    .map((target) => {
      const found = violations.filter((violation) => violation.target === target);
      const name = `${target.charAt(0).toUpperCase()}${target.slice(1)}`;
      return `${name} content violations: ${describeTypes(found)}`;
    })
    .join('; ');
}

function describeTypes(violations: readonly Violation[]): string {
  const types = [...new Set(violations.map(({ type }) => type))];
  return types
    .map((type) => {
      const found = violations.filter((violation) => violation.type === type);
      const names = found.map(({ matched }) => matched).filter((name) => name !== type);
      return names.length > 0 ? `${titles[type]}: ${names.join(', ')}` : titles[type];
    })
    .join('; ');
}
