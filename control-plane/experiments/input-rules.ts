import type { ItemInput } from '#contract/datasets.ts';
import type { ChatMessage, PromptContent } from '#contract/prompt-content.ts';
import { type CompiledPrompt, compilePrompt } from '#contract/prompt-template.ts';

type Prepared =
  | { kind: 'variables'; content: PromptContent; variables: Record<string, unknown> }
  | { kind: 'messages'; prompt: CompiledPrompt }
  | { kind: 'impossible'; error: string };

/**
 * Prepares what is sent for an item. Variables are filled into the prompt. Messages follow the
 * prompt, which comes first as instructions. They are sent unchanged, because they are a
 * conversation and not a template.
 */
export function prepareInput(content: PromptContent | null, input: ItemInput): Prepared {
  if (!Array.isArray(input))
    return content === null
      ? { kind: 'impossible', error: 'the item has variables, and the experiment has no prompt' }
      : { kind: 'variables', content, variables: input };
  const instructions = compilePrompt(instructionsOf(content));
  return {
    kind: 'messages',
    prompt: { ...instructions, content: [...instructions.content, ...input] },
  };
}

function instructionsOf(content: PromptContent | null): ChatMessage[] {
  if (content === null) return [];
  return typeof content === 'string' ? [{ role: 'system', content }] : content;
}
