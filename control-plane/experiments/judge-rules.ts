import { z } from 'zod';
import type { ItemInput } from '#contract/datasets.ts';
import { describeIssues } from '#contract/errors.ts';
import type { Judge } from '#contract/evaluators.ts';
import type { Variant } from '#contract/playground.ts';
import { compilePrompt } from '#contract/prompt-template.ts';
import { textOf } from '../datasets/rules.ts';
import { textOfMessages } from '../prompts/rules.ts';
import { type Evaluated, evaluatorError, verdictOf, type Verdict } from './evaluator-rules.ts';

const formats: Record<Judge['scale'], string> = {
  score:
    '{"score": <a number from 0, the worst, to 1, the best>, "reason": "<one or two sentences>"}',
  pass_fail: '{"result": "pass" or "fail", "reason": "<one or two sentences>"}',
};

/**
 * What a judge is asked. The form of the answer is in the system message, apart from the texts that
 * are judged. Inserted texts are not expanded again, so that no output can insert another.
 */
export function judgeVariant(
  { prompt, model, scale, temperature, max_tokens }: Judge,
  { input, output, expected }: Evaluated & { input: ItemInput },
): Variant | { error: string } {
  const variables = {
    input: Array.isArray(input) ? textOfMessages(input) : input,
    output,
    ...(expected !== undefined && { expected: textOf(expected) }),
  };
  if (expected === undefined && names(prompt).includes('expected'))
    return { error: 'the item has no expected output, which the prompt of the judge contains' };
  const system = `You judge the output of a language model. Answer with one JSON object and nothing else: ${formats[scale]}`;
  return {
    content: [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ],
    variables,
    config: { model, temperature, max_tokens },
  };
}

const names = (prompt: string): string[] => compilePrompt(prompt).missing_variables;

const reason = z.string();
const judgements = {
  score: z.strictObject({ score: z.number().min(0).max(1), reason }),
  pass_fail: z.strictObject({ result: z.enum(['pass', 'fail']), reason }),
};

/** Characters of a reason that are stored. */
const MAX_REASON = 1000;
const SHOWN = 200;

/** Reads the answer of a judge. Whatever is not exactly what it was asked for is an error. */
export function readJudgement(answer: string, scale: Judge['scale']): Verdict {
  let json: unknown;
  try {
    json = JSON.parse(unfenced(answer));
  } catch {
    return evaluatorError(`the judgement is not JSON: ${answer.trim().slice(0, SHOWN)}`);
  }
  const { data, error } = judgements[scale].safeParse(json);
  if (!data) return evaluatorError(`the judgement is invalid: ${describeIssues(error, 'answer')}`);
  const stored = data.reason.slice(0, MAX_REASON);
  return 'score' in data
    ? { value: data.score, passed: null, reason: stored, error: null }
    : verdictOf(data.result === 'pass', stored);
}

/** Many models put JSON into a block of Markdown: the whole answer, without its first and last line. */
function unfenced(answer: string): string {
  const text = answer.trim();
  const first = text.indexOf('\n');
  const isBlock =
    /^```(json)?\s*$/.test(text.slice(0, Math.max(0, first))) && text.endsWith('\n```');
  return isBlock ? text.slice(first, -3) : text;
}
