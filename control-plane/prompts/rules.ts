import { describeIssues } from '#contract/errors.ts';
import type { PromptContent, PromptType } from '#contract/prompt-content.ts';
import { promptLabel } from '#contract/prompts.ts';
import { exactly } from '../llm-calls/rules.ts';

const PREVIEW_LENGTH = 200;

/** Why content is not of the prompt's type; undefined when it is. */
export function contentMismatch(type: PromptType, content: PromptContent): string | undefined {
  const given = typeof content === 'string' ? 'text' : 'chat';
  if (given === type) return undefined;
  return type === 'text'
    ? 'content: expected a string, because prompt_type is "text"'
    : 'content: expected an array of messages, because prompt_type is "chat"';
}

/** Why this cannot be the name of a label; undefined when it can. */
export function labelProblem(label: string): string | undefined {
  const { error } = promptLabel.safeParse(label);
  return error && describeIssues(error, 'label');
}

/** The beginning of what a prompt says; of a chat, each message after its role. */
export function previewOf(content: PromptContent): string {
  const text =
    typeof content === 'string'
      ? content
      : content.map(({ role, content: said }) => `${role}: ${textOf(said)}`).join('\n');
  // By code points, each of one or two units: half a surrogate pair is no text.
  const characters = Array.from(text.slice(0, (PREVIEW_LENGTH + 1) * 2));
  return characters.length <= PREVIEW_LENGTH
    ? characters.join('')
    : `${characters.slice(0, PREVIEW_LENGTH - 1).join('')}…`;
}

const textOf = (said: Exclude<PromptContent, string>[number]['content']): string =>
  typeof said === 'string'
    ? said
    : said.map((part) => ('text' in part ? String(part.text) : `[${part.type}]`)).join(' ');

interface Usage {
  call_count: number;
  total_tokens: number;
  total_cost: number;
}

/** What all versions together were used. Versions of the same content share their usage. */
export function totalUsage(versions: readonly (Usage & { content_hash: string })[]): Usage {
  const contents = new Map(versions.map((version) => [version.content_hash, version]));
  const totals = { call_count: 0, total_tokens: 0, total_cost: 0 };
  for (const { call_count, total_tokens, total_cost } of contents.values()) {
    totals.call_count += call_count;
    totals.total_tokens += total_tokens;
    totals.total_cost = exactly(totals.total_cost + total_cost);
  }
  return totals;
}
