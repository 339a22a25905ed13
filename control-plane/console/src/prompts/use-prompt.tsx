import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { promptVersion } from '../data/prompt-sources.ts';
import type { Prompt } from '../data/prompt-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Choice, Select } from '../parts/choice.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Section } from '../parts/section.tsx';
import { versionOf } from './pick-label.tsx';
import { promptSnippets } from './prompt-snippets.ts';
import type { PromptSnippet } from './prompt-snippets.ts';
import { VariableNames, variablesOf } from './variable-names.tsx';
import './use-prompt.css';

/** Shows how agents fetch the prompt: by label, by version, or the newest version. */
export function UsePrompt({ prompt }: { prompt: Prompt }) {
  const [chosen, setChosen] = useState(() => {
    const label = prompt.labels.includes('production') ? 'production' : prompt.labels[0];
    return label === undefined ? '' : `label ${label}`;
  });
  const [language, setLanguage] = useState<PromptSnippet['id']>('curl');
  const label = chosen.startsWith('label ') ? chosen.slice('label '.length) : undefined;
  const fixed = chosen.startsWith('version ') ? Number(chosen.slice('version '.length)) : undefined;
  const version = fixed ?? (label && versionOf(prompt, label)) ?? prompt.latest_version;
  const reading = useQuery(promptVersion(prompt.id, version || prompt.latest_version));
  return (
    <Section title={t`Fetch this prompt`}>
      <div className="toolbar">
        <Select
          label={t`What to fetch`}
          all={t`The newest version`}
          options={[
            ...prompt.labels.map((one) => ({ id: `label ${one}`, name: t`Label ${one}` })),
            ...prompt.versions.map((one) => ({
              id: `version ${one.version}`,
              name: t`Version ${one.version}`,
            })),
          ]}
          value={chosen}
          onChange={setChosen}
        />
        <Loaded reading={reading}>
          {({ content }) => (
            <Choice
              label={t`Language`}
              options={snippetsOf(variablesOf(content))}
              value={language}
              onChange={setLanguage}
            />
          )}
        </Loaded>
      </div>
      {reading.data && (
        <>
          <VariableNames content={reading.data.content} />
          <Snippet
            snippet={snippetsOf(variablesOf(reading.data.content)).find(
              ({ id }) => id === language,
            )}
          />
        </>
      )}
      <p className="muted">
        <Trans>
          The API key needs the permission <code>record</code>. Calls that are recorded with the
          prompt count for its version.
        </Trans>
      </p>
    </Section>
  );

  function snippetsOf(variables: readonly string[]) {
    return promptSnippets({
      url: location.origin,
      name: prompt.name,
      label,
      version: fixed,
      variables,
    });
  }
}

function Snippet({ snippet }: { snippet: PromptSnippet | undefined }) {
  if (!snippet) return null;
  return (
    <div className="prompt-snippet">
      <CopyButton key={snippet.text} text={snippet.text} label={t`Copy ${snippet.name}`} />
      <pre tabIndex={0} role="group" aria-label={snippet.name}>
        {snippet.text}
      </pre>
    </div>
  );
}
