import { t } from '@lingui/core/macro';
import type { PlaygroundResult } from '#contract/playground.ts';
import type { PromptContent } from '../data/prompt-sources.ts';
import { draftOfConfig, emptyConfig } from '../prompts/config-draft.ts';
import type { Config, ConfigDraft } from '../prompts/config-draft.ts';
import { contentOf, draftOf, withMessage } from '../prompts/draft.ts';
import type { ContentDraft } from '../prompts/draft.ts';
import { variablesOf } from '../prompts/variable-names.tsx';

export const MAX_VARIANTS = 4;

/** The source of a variant. */
export type Origin =
  | { kind: 'version'; prompt_id: string; name: string; version: number }
  | { kind: 'call'; id: number; notes: string[] };

/** The answer of a model, as far as it has arrived. */
export interface Outcome {
  status: 'running' | 'done' | 'stopped' | 'failed' | 'recorded';
  output: string;
  result: PlaygroundResult | null;
  error: string | null;
}

export interface Variant {
  key: number;
  content: ContentDraft;
  config: ConfigDraft;
  origin: Origin | null;
  outcome: Outcome | null;
}

export interface PlaygroundState {
  variants: Variant[];
  /** Values by name, shared by all variants. */
  variables: Record<string, string>;
}

/** Content and settings with which a variant is opened. */
export interface Opened {
  content: PromptContent;
  config: Config;
  origin: Origin;
  outcome: Outcome | null;
}

export const emptyState = (): PlaygroundState => ({
  variants: [
    { key: 0, content: withMessage([]), config: emptyConfig, origin: null, outcome: null },
  ],
  variables: {},
});

/** Whether replacing the state would lose nothing. */
export const isEmpty = ({ variants, variables }: PlaygroundState): boolean =>
  Object.values(variables).every((value) => value === '') &&
  variants.every(
    ({ content, config, outcome }) =>
      outcome === null &&
      JSON.stringify(config) === JSON.stringify(emptyConfig) &&
      (typeof content === 'string' ? [{ text: content }] : content).every(
        (message) => message.text === '' && !('original' in message && message.original),
      ),
  );

/** Creates a state with one variant. Keeps the values of variables that it also has. */
export const openedState = (
  { content, config, origin, outcome }: Opened,
  { variables }: PlaygroundState,
): PlaygroundState => ({
  variants: [{ key: 0, content: draftOf(content), config: draftOfConfig(config), origin, outcome }],
  variables,
});

/** Adds a copy of a variant after it, without the outcome. */
export function copyVariant(state: PlaygroundState, key: number): PlaygroundState {
  const at = state.variants.findIndex((variant) => variant.key === key);
  const variant = state.variants[at];
  if (!variant || state.variants.length >= MAX_VARIANTS) return state;
  const next = Math.max(...state.variants.map((one) => one.key)) + 1;
  const copy = { ...variant, key: next, outcome: null };
  return { ...state, variants: state.variants.toSpliced(at + 1, 0, copy) };
}

export const removeVariant = (state: PlaygroundState, key: number): PlaygroundState => ({
  ...state,
  variants: state.variants.filter((variant) => variant.key !== key),
});

export const updateVariant = (
  state: PlaygroundState,
  key: number,
  change: Partial<Variant>,
): PlaygroundState => ({
  ...state,
  variants: state.variants.map((one) => (one.key === key ? { ...one, ...change } : one)),
});

/** The variables of all variants in order of use. */
export const variableNames = ({ variants }: PlaygroundState): string[] => [
  ...new Set(variants.flatMap(({ content }) => variablesOf(contentOf(content)))),
];

/** The values to send. Empty fields are omitted. */
export const variableValues = (
  names: readonly string[],
  { variables }: PlaygroundState,
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return value ? [[name, value]] : [];
    }),
  );

/** Converts a content to a prompt type, or returns the reason why it does not fit. */
export function contentFor(
  type: 'text' | 'chat',
  content: PromptContent,
): { content: PromptContent } | { error: string } {
  if (type === 'chat')
    return {
      content: typeof content === 'string' ? [{ role: 'user', content }] : content,
    };
  if (typeof content === 'string') return { content };
  const [only, ...others] = content;
  if (only?.role === 'user' && others.length === 0 && typeof only.content === 'string')
    return { content: only.content };
  return {
    error: t`A text prompt consists of one user message. Choose a chat prompt, or a new one.`,
  };
}
