import { memberRules } from '#domain/redaction/member-rules.ts';
import { redactJson } from '#domain/redaction/redact-json.ts';
import { redactText } from '#domain/redaction/redact-text.ts';
import { type Check, findingsIn } from './checks.ts';
import { clip } from './clip.ts';

/**
 * Replaces matches of the checks with placeholders, also in member names and numbers. `left` names
 * the remaining matches, such as one within a member name of JSON text.
 */
export function redactInputs(
  inputs: unknown,
  checks: readonly Check[],
): { value: unknown; left: string[] } {
  const detectors = checks.flatMap((check) => check.detectors);
  const keys = memberRules(checks.flatMap((check) => check.keys));
  const redactLabel = (label: string): string => redactText(label, detectors).text;
  const value = redactLabels(redactJson(inputs, { detectors, keys }).value, redactLabel);
  return { value, left: [...new Set(remaining(value, checks).map(({ matched }) => matched))] };
}

/** Redacts member names and numbers. Names that become equal are numbered from the second on. */
function redactLabels(value: unknown, redact: (label: string) => string): unknown {
  if (typeof value === 'number') {
    const text = redact(String(value));
    return text === String(value) ? value : text;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactLabels(item, redact));
  const counts = new Map<string, number>();
  const used = new Set(Object.keys(value));
  const nameOf = (member: string): string => {
    const name = redact(member);
    if (name === member) return member;
    for (let count = (counts.get(name) ?? 0) + 1; ; count += 1) {
      const numbered = count === 1 ? name : `${name} ${count}`;
      if (used.has(numbered)) continue;
      counts.set(name, count);
      used.add(numbered);
      return numbered;
    }
  };
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [nameOf(member), redactLabels(inner, redact)]),
  );
}

const placeholder = /##[A-Z][A-Z0-9_]*##/;
const ALL = { characters: Infinity, labels: Infinity, values: Infinity, placeholder: '' };

/**
 * Returns the checks that match the text between placeholders. A match across a placeholder would
 * be meaningless.
 */
function remaining(value: unknown, checks: readonly Check[]): Check[] {
  const pieces = clip(value, ALL).texts.flatMap(({ member, text }) =>
    text
      .split(placeholder)
      .filter((piece) => piece !== '')
      .map((piece) => ({ member, text: piece })),
  );
  return findingsIn(checks, pieces);
}
