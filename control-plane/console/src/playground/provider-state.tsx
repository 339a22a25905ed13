import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PlaygroundProvider } from '#contract/playground.ts';
import { asSentence } from '../data/describe-error.ts';
import { Notice } from '../parts/notice.tsx';
import { Text } from '../parts/text.tsx';

const names: Record<PlaygroundProvider['provider'], string> = {
  openai: t`OpenAI API`,
  anthropic: t`Anthropic API`,
};

/** Shows the provider to which prompts are sent, or the setting that is missing. */
export function ProviderState({ provider }: { provider: PlaygroundProvider }) {
  const { problem, models_problem, models, host } = provider;
  const name = names[provider.provider];
  if (problem !== null)
    return (
      <Notice tone="warn">
        <p>
          <Text>{`${asSentence(problem)}.`}</Text>
        </p>
        <p>
          <Trans>
            Set <code>LLM_PROVIDER</code> (<code>openai</code> or <code>anthropic</code>) and{' '}
            <code>LLM_API_KEY</code>, or <code>LLM_BASE_URL</code> for a server of your own, in the
            environment of the control plane, and restart it.
          </Trans>
        </p>
      </Notice>
    );
  return (
    <>
      <p className="muted playground-provider">
        <Trans>
          {name} at <Text>{host}</Text>
        </Trans>
        {models.length > 0 && `, ${plural(models.length, { one: '# model', other: '# models' })}`}
      </p>
      {models_problem !== null && (
        <Notice tone="warn">
          <Trans>
            <Text>{`${asSentence(models_problem)}.`}</Text> Type the name of a model.
          </Trans>
        </Notice>
      )}
    </>
  );
}
