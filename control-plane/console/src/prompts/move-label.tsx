import { useId, useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { describeError } from '../data/describe-error.ts';
import type { Prompt } from '../data/prompt-sources.ts';
import { Text } from '../parts/text.tsx';
import { visible } from '../visible.ts';

interface MoveLabelProps {
  prompt: Prompt;
  version: number;
  onMoved: () => void;
}

/** Moves a label, existing or new, to this version: agents that fetch by the label then get it. */
export function MoveLabel({ prompt, version, onMoved }: MoveLabelProps) {
  const id = useId();
  const [label, setLabel] = useState('');
  const [error, setError] = useState<string>();
  const current = prompt.versions.find((one) => one.version === version)?.labels ?? [];
  const attempt = async (change: () => Promise<unknown>) => {
    try {
      await change();
      setError(undefined);
      setLabel('');
      onMoved();
    } catch (cause) {
      setError(describeError(cause));
    }
  };
  const move = (event: SubmitEvent) => {
    event.preventDefault();
    const params = { prompt_id: prompt.id, label: label.trim() };
    void attempt(() => api.prompts.putPromptLabel({ params, body: { version } }));
  };
  const remove = (label: string) =>
    void attempt(() => api.prompts.deletePromptLabel({ params: { prompt_id: prompt.id, label } }));
  return (
    <form className="move-label" onSubmit={move}>
      {current.map((label) => (
        <span key={label} className="badge accent">
          <Text>{label}</Text>{' '}
          <button
            type="button"
            className="link"
            aria-label={`Remove the label ${visible(label)}`}
            onClick={() => remove(label)}
          >
            ×
          </button>
        </span>
      ))}
      <input
        className="field"
        aria-label={`Label for version ${version}`}
        placeholder="Label"
        list={id}
        required
        maxLength={100}
        autoComplete="off"
        value={label}
        onChange={({ target }) => setLabel(target.value)}
      />
      <datalist id={id}>
        {prompt.labels
          .filter((label) => !current.includes(label))
          .map((label) => (
            <option key={label} value={label} />
          ))}
      </datalist>
      <button type="submit" className="button">
        Set label
      </button>
      {error !== undefined && (
        <span className="form-error" role="alert">
          {error}
        </span>
      )}
    </form>
  );
}
