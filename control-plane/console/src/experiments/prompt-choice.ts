import type { NewExperiment } from '../data/experiment-sources.ts';
import { contentOf } from '../prompts/draft.ts';
import type { ContentDraft } from '../prompts/draft.ts';

/** Form state of the prompt of an experiment. */
export interface PromptChoice {
  kind: 'stored' | 'in_place' | 'none';
  /** Id of a stored prompt; empty until one is chosen. */
  promptId: string;
  version: number;
  /** Content of an inline prompt. */
  content: ContentDraft;
}

export const firstPrompt: PromptChoice = {
  kind: 'in_place',
  promptId: '',
  version: 1,
  content: '',
};

/** The part of the request that describes the prompt. */
export function promptOf({
  kind,
  promptId,
  version,
  content,
}: PromptChoice): Pick<NewExperiment, 'prompt_id' | 'prompt_version' | 'content'> {
  switch (kind) {
    case 'stored':
      return { prompt_id: promptId, prompt_version: version };
    case 'in_place':
      return { content: contentOf(content) };
    case 'none':
      return {};
  }
}
