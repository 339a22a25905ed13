import type { PlaygroundProvider } from '#contract/playground.ts';
import { asSentence } from '../data/describe-error.ts';
import { formatMany } from '../format.ts';
import { Notice } from '../parts/notice.tsx';
import { Text } from '../parts/text.tsx';

const names: Record<PlaygroundProvider['provider'], string> = {
  openai: 'OpenAI API',
  anthropic: 'Anthropic API',
};

/** Where prompts are sent to, or what has to be set first. */
export function ProviderState({ provider }: { provider: PlaygroundProvider }) {
  const { problem, models_problem, models, host } = provider;
  if (problem !== null)
    return (
      <Notice tone="warn">
        <p>
          <Text>{`${asSentence(problem)}.`}</Text>
        </p>
        <p>
          Set <code>LLM_PROVIDER</code> (<code>openai</code> or <code>anthropic</code>) and{' '}
          <code>LLM_API_KEY</code>, or <code>LLM_BASE_URL</code> for a server of your own, in the
          environment of the control plane, and restart it.
        </p>
      </Notice>
    );
  return (
    <>
      <p className="muted playground-provider">
        {names[provider.provider]} at <Text>{host}</Text>
        {models.length > 0 && `, ${formatMany(models.length, 'model')}`}
      </p>
      {models_problem !== null && (
        <Notice tone="warn">
          <Text>{`${asSentence(models_problem)}.`}</Text> Type the name of a model.
        </Notice>
      )}
    </>
  );
}
