import { t } from '@lingui/core/macro';
import type { Evaluator } from '../data/experiment-sources.ts';

export type EvaluatorType = Evaluator['type'];

/** Form state of an evaluator: the fields of all types, of which the type uses some. */
export interface EvaluatorDraft {
  /** Identifies it while it is edited. */
  key: number;
  type: EvaluatorType;
  name: string;
  ignoreCase: boolean;
  /** Of `contains`; blank: the expected output. */
  text: string;
  pattern: string;
  /** JSON. */
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

/** A further evaluator, named after its type and unlike the others. */
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

/** Another type brings its name along, unless the user has chosen one. */
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

/** A schema is an object, or true or false; undefined: the text is neither. */
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

/** The problem of an incomplete draft; undefined if it can be sent. */
export function evaluatorsProblem(drafts: readonly EvaluatorDraft[]): string | undefined {
  const names = drafts.map(({ name }) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) return t`Two evaluators are named "${twice}".`;
  const unread = drafts.find(
    ({ type, schema }) => type === 'json_schema' && schemaIn(schema) === undefined,
  );
  return unread && t`The schema of "${unread.name.trim()}" is not a JSON object.`;
}
