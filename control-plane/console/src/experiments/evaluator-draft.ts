import { t } from '@lingui/core/macro';
import type { Evaluator } from '../data/experiment-sources.ts';

export type EvaluatorType = Evaluator['type'];

/** Form state of an evaluator: the fields of all types. Each type uses some of them. */
export interface EvaluatorDraft {
  /** Identifies the evaluator during editing. */
  key: number;
  type: EvaluatorType;
  name: string;
  ignoreCase: boolean;
  /** For `contains`; blank for the expected output. */
  text: string;
  pattern: string;
  /** A JSON Schema as text. */
  schema: string;
  prompt: string;
  model: string;
  scale: 'score' | 'pass_fail';
}

export const typeNames: Record<EvaluatorType, string> = {
  exact_match: t`Exact match`,
  contains: t`Contains`,
  regex: t`Regular expression`,
  json_equal: t`JSON equality`,
  json_schema: t`JSON Schema`,
  llm_judge: t`Model as judge`,
};

export const evaluatorTypes = Object.keys(typeNames) as EvaluatorType[];

// oxlint-disable-next-line gatehouse/translated-texts -- what a model reads
const JUDGE_PROMPT = `Is the answer correct and complete?

Input: {{input}}
Answer: {{output}}
Expected answer: {{expected}}`;

/**
 * Creates an additional evaluator, named after its type with a name that the others do not have.
 */
export function newEvaluator(others: readonly EvaluatorDraft[]): EvaluatorDraft {
  const key = Math.max(-1, ...others.map((other) => other.key)) + 1;
  return {
    key,
    type: 'exact_match',
    name: nameFor('exact_match', others),
    ignoreCase: false,
    text: '',
    pattern: '',
    schema: '{\n  "type": "object"\n}',
    prompt: JUDGE_PROMPT,
    model: '',
    scale: 'score',
  };
}

/** Changes the type and, unless the user has chosen a name, the name. */
export function withType(
  draft: EvaluatorDraft,
  type: EvaluatorType,
  others: readonly EvaluatorDraft[],
): EvaluatorDraft {
  const isChosen = !draft.name.startsWith(typeNames[draft.type]);
  return { ...draft, type, name: isChosen ? draft.name : nameFor(type, others) };
}

function nameFor(type: EvaluatorType, others: readonly EvaluatorDraft[]): string {
  const taken = new Set(others.map(({ name }) => name));
  const first = typeNames[type];
  if (!taken.has(first)) return first;
  let number = 2;
  while (taken.has(`${first} ${number}`)) number += 1;
  return `${first} ${number}`;
}

export function evaluatorOf(draft: EvaluatorDraft): Evaluator {
  const { type, ignoreCase: ignore_case, text, pattern, prompt, scale } = draft;
  const name = draft.name.trim();
  switch (type) {
    case 'exact_match':
      return { type, name, ignore_case };
    case 'contains':
      return { type, name, ignore_case, text: text.trim() === '' ? null : text };
    case 'regex':
      return { type, name, pattern };
    case 'json_equal':
      return { type, name };
    case 'json_schema':
      return { type, name, schema: schemaIn(draft.schema) ?? {} };
    case 'llm_judge':
      return { type, name, prompt, model: draft.model.trim(), scale };
  }
}

/** Parses a schema, which is an object or a boolean; undefined for any other text. */
function schemaIn(text: string): Record<string, unknown> | boolean | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'boolean') return value;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The first problem of incomplete drafts; undefined if they can be sent. */
export function evaluatorsProblem(drafts: readonly EvaluatorDraft[]): string | undefined {
  const names = drafts.map(({ name }) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) return t`Two evaluators are named "${twice}".`;
  const unread = drafts.find(
    ({ type, schema }) => type === 'json_schema' && schemaIn(schema) === undefined,
  );
  return unread && t`The schema of "${unread.name.trim()}" is not a JSON object.`;
}
