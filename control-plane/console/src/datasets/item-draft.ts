import { t } from '@lingui/core/macro';
import type { Item, NewItem } from '../data/dataset-sources.ts';
import { contentOf, draftOf, withMessage } from '../prompts/draft.ts';
import type { MessageDraft } from '../prompts/draft.ts';

/** Form state of a dataset item. */
export interface ItemDraft {
  kind: 'variables' | 'messages';
  /** A JSON object. */
  variables: string;
  messages: MessageDraft[];
  expectedKind: 'text' | 'json';
  /** Empty if no output is expected. */
  expected: string;
  /** A JSON object. */
  metadata: string;
}

export type ItemErrors = Partial<Record<'variables' | 'expected' | 'metadata', string>>;

type Content = Pick<NewItem, 'input' | 'expected_output' | 'metadata'>;

const EXAMPLE = '{"question": "…"}';

export const emptyItem: ItemDraft = {
  kind: 'variables',
  variables: '{\n  "question": ""\n}',
  messages: withMessage([]),
  expectedKind: 'text',
  expected: '',
  metadata: '{}',
};

export function draftOfItem({ input, expected_output, metadata }: Content): ItemDraft {
  const isChat = Array.isArray(input);
  const isText = typeof expected_output === 'string';
  const isNone = expected_output === null || expected_output === undefined;
  return {
    kind: isChat ? 'messages' : 'variables',
    variables: isChat ? emptyItem.variables : print(input),
    messages: isChat ? (draftOf(input) as MessageDraft[]) : emptyItem.messages,
    expectedKind: isText || isNone ? 'text' : 'json',
    expected: isNone ? '' : isText ? expected_output : print(expected_output),
    metadata: print(metadata ?? {}),
  };
}

const print = (value: unknown): string => JSON.stringify(value, null, 2);

/** Returns the item, or the errors of its fields. */
export function itemOf(
  draft: ItemDraft,
): { item: Required<Content>; errors?: never } | { errors: ItemErrors } {
  const errors: ItemErrors = {};
  const variables = objectOf(draft.variables);
  if (draft.kind === 'variables' && !variables)
    errors.variables = t`Expected a JSON object, such as ${EXAMPLE}.`;
  const metadata = objectOf(draft.metadata.trim() === '' ? '{}' : draft.metadata);
  if (!metadata) errors.metadata = t`Expected a JSON object.`;
  const expected = expectedOf(draft);
  if (expected === INVALID) errors.expected = t`Expected JSON.`;
  if (Object.keys(errors).length > 0 || !metadata) return { errors };
  const input =
    draft.kind === 'variables'
      ? (variables as Record<string, unknown>)
      : (contentOf(draft.messages) as Extract<NewItem['input'], unknown[]>);
  return { item: { input, expected_output: expected, metadata } };
}

const INVALID = Symbol('invalid JSON');

function expectedOf({ expected, expectedKind }: ItemDraft): unknown {
  if (expected.trim() === '') return null;
  return expectedKind === 'text' ? expected : jsonOf(expected);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return INVALID;
  }
}

function objectOf(text: string): Record<string, unknown> | undefined {
  const value = jsonOf(text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

/** The fields of a stored item that a form edits. */
export const contentOfItem = ({ input, expected_output, metadata }: Item): Content => ({
  input,
  expected_output,
  metadata,
});
