import { keyRules } from '#agent/core/redaction/key-rules.ts';
import { redactJson } from '#agent/core/redaction/redact-json.ts';
import { redactText } from '#agent/core/redaction/redact-text.ts';
import { type Check, findingsIn } from './checks.ts';
import { clip } from './clip.ts';

/**
 * The inputs with placeholders for what the checks find, in member names and numbers too, and the
 * names of what is still there: such as what a member name within JSON text holds.
 */
export function redactInputs(
  inputs: unknown,
  checks: readonly Check[],
): { value: unknown; left: string[] } {
  const detectors = checks.flatMap((check) => check.detectors);
  const keys = keyRules(checks.flatMap((check) => check.keys));
  const redactLabel = (label: string): string => redactText(label, detectors).text;
  const value = redactLabels(redactJson(inputs, { detectors, keys }).value, redactLabel);
  return { value, left: [...new Set(stillIn(value, checks).map(({ matched }) => matched))] };
}

/** Member names and numbers. Of names that become the same, all but the first are numbered. */
function redactLabels(value: unknown, redact: (label: string) => string): unknown {
  if (typeof value === 'number') {
    const text = redact(String(value));
    return text === String(value) ? value : text;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactLabels(item, redact));
  const counts = new Map<string, number>();
  const taken = new Set(Object.keys(value));
  const nameOf = (member: string): string => {
    const name = redact(member);
    if (name === member) return member;
    for (let count = (counts.get(name) ?? 0) + 1; ; count += 1) {
      const numbered = count === 1 ? name : `${name} ${count}`;
      if (taken.has(numbered)) continue;
      counts.set(name, count);
      taken.add(numbered);
      return numbered;
    }
  };
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [nameOf(member), redactLabels(inner, redact)]),
  );
}

const placeholder = /##[A-Z][A-Z0-9_]*##/;
const ALL = { characters: Infinity, labels: Infinity, values: Infinity, placeholder: '' };

/** Between placeholders, whose neighbours are no longer what they seem. */
function stillIn(value: unknown, checks: readonly Check[]): Check[] {
  const pieces = clip(value, ALL).texts.flatMap(({ member, text }) =>
    text
      .split(placeholder)
      .filter((piece) => piece !== '')
      .map((piece) => ({ member, text: piece })),
  );
  return findingsIn(checks, pieces);
}
