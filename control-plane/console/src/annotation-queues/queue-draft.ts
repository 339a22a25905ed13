import type { AnnotationQueue, QueueBody, ScoreConfig } from '../data/annotation-queue-sources.ts';

/** A score that reviewers give, as typed in the form. */
export interface ConfigDraft {
  name: string;
  data_type: ScoreConfig['data_type'];
  description: string;
  required: boolean;
  min: string;
  max: string;
  /** One value per line. */
  values: string;
}

export interface QueueDraft {
  name: string;
  description: string;
  instructions: string;
  scores: readonly ConfigDraft[];
}

export const emptyConfig: ConfigDraft = {
  name: '',
  data_type: 'numeric',
  description: '',
  required: true,
  min: '',
  max: '',
  values: '',
};

export const emptyQueue: QueueDraft = {
  name: '',
  description: '',
  instructions: '',
  scores: [emptyConfig],
};

export const draftOf = ({
  name,
  description,
  instructions,
  scores,
}: AnnotationQueue): QueueDraft => ({
  name,
  description,
  instructions,
  scores: scores.map(configDraftOf),
});

function configDraftOf(config: ScoreConfig): ConfigDraft {
  const { name, data_type, description = '', required = true } = config;
  const draft = { ...emptyConfig, name, data_type, description, required };
  if (config.data_type === 'numeric')
    return { ...draft, min: textOf(config.min), max: textOf(config.max) };
  return config.data_type === 'categorical'
    ? { ...draft, values: config.values.join('\n') }
    : draft;
}

const textOf = (number: number | null | undefined): string => number?.toString() ?? '';

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

export const bodyOf = ({ name, description, instructions, scores }: QueueDraft): QueueBody => ({
  name,
  description,
  instructions,
  scores: scores.map(configOf),
});

/** Includes only the fields of the chosen type and omits values typed for another type. */
function configOf({ data_type, min, max, values, ...common }: ConfigDraft): ScoreConfig {
  if (data_type === 'numeric')
    return { ...common, data_type, min: numberOf(min), max: numberOf(max) };
  if (data_type === 'boolean') return { ...common, data_type };
  const lines = values.split('\n').map((line) => line.trim());
  return { ...common, data_type, values: lines.filter((line) => line !== '') };
}
