import { describeIssues } from '#contract/errors.ts';
import type { PromptContent, PromptType } from '#contract/prompt-content.ts';
import { promptLabel } from '#contract/prompts.ts';
import { roundedCost } from '../llm-calls/rules.ts';

const PREVIEW_LENGTH = 200;

/** Returns why the content does not match the prompt's type; undefined if it does. */
export function contentMismatch(type: PromptType, content: PromptContent): string | undefined {
  const actual = typeof content === 'string' ? 'text' : 'chat';
  if (actual === type) return undefined;
  return type === 'text'
    ? 'content: expected a string, because prompt_type is "text"'
    : 'content: expected an array of messages, because prompt_type is "chat"';
}

/** Returns why the label name is invalid; undefined if it is valid. */
export function labelProblem(label: string): string | undefined {
  const { error } = promptLabel.safeParse(label);
  return error && describeIssues(error, 'label');
}

/** Returns the beginning of a prompt. In a chat, each message follows its role. */
export function previewOf(content: PromptContent): string {
  const text = typeof content === 'string' ? content : textOfMessages(content);
  // The text is cut by code points, which have one or two UTF-16 units, so that no surrogate pair
  // is split.
  const characters = Array.from(text.slice(0, (PREVIEW_LENGTH + 1) * 2));
  return characters.length <= PREVIEW_LENGTH
    ? characters.join('')
    : `${characters.slice(0, PREVIEW_LENGTH - 1).join('')}…`;
}

/** Returns the messages as text, each after its role. */
export const textOfMessages = (messages: Exclude<PromptContent, string>): string =>
  messages.map(({ role, content: body }) => `${role}: ${textOf(body)}`).join('\n');

const textOf = (body: Exclude<PromptContent, string>[number]['content']): string =>
  typeof body === 'string'
    ? body
    : body.map((part) => ('text' in part ? String(part.text) : `[${part.type}]`)).join(' ');

interface Usage {
  call_count: number;
  total_tokens: number;
  total_cost: number;
}

/**
 * Returns the total usage of all versions. Versions with the same content share their usage, so it
 * counts once.
 */
export function totalUsage(versions: readonly (Usage & { content_hash: string })[]): Usage {
  const contents = new Map(versions.map((version) => [version.content_hash, version]));
  const totals = { call_count: 0, total_tokens: 0, total_cost: 0 };
  for (const { call_count, total_tokens, total_cost } of contents.values()) {
    totals.call_count += call_count;
    totals.total_tokens += total_tokens;
    totals.total_cost = roundedCost(totals.total_cost + total_cost);
  }
  return totals;
}
