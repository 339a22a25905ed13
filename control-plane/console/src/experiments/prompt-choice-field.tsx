import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { promptDetail, promptList } from '../data/prompt-sources.ts';
import type { PromptSummary } from '../data/prompt-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Choice } from '../parts/choice.tsx';
import { FormField } from '../parts/form-field.tsx';
import { Loaded } from '../parts/notice.tsx';
import { ContentField } from '../prompts/content-field.tsx';
import { withMessage } from '../prompts/draft.ts';
import { markInvisible } from '../mark-invisible.ts';
import type { PromptChoice } from './prompt-choice.ts';

const kinds = [
  { id: 'in_place', name: t`Inline prompt` },
  { id: 'stored', name: t`Stored prompt` },
  { id: 'none', name: t`No prompt` },
] as const;

const types = [
  { id: 'text', name: t`Text` },
  { id: 'chat', name: t`Chat` },
] as const;

interface PromptChoiceFieldProps {
  choice: PromptChoice;
  onChange: (choice: PromptChoice) => void;
}

/**
 * Fields for the prompt of an experiment: variables are filled into it, and messages of items
 * follow it.
 */
export function PromptChoiceField({ choice, onChange }: PromptChoiceFieldProps) {
  const { kind, content } = choice;
  const set = (change: Partial<PromptChoice>) => onChange({ ...choice, ...change });
  return (
    <>
      <Choice label={t`Prompt`} options={kinds} value={kind} onChange={(kind) => set({ kind })} />
      {kind === 'in_place' && (
        <>
          <Choice
            label={t`Type`}
            options={types}
            value={typeof content === 'string' ? 'text' : 'chat'}
            onChange={(type) => set({ content: type === 'text' ? '' : withMessage([]) })}
          />
          <ContentField draft={content} onChange={(content) => set({ content })} />
        </>
      )}
      {kind === 'stored' && <StoredPrompt choice={choice} onChange={onChange} />}
      {kind === 'none' && (
        <p className="muted">
          <Trans>The messages of each item are sent as they are.</Trans>
        </p>
      )}
    </>
  );
}

function StoredPrompt({ choice, onChange }: PromptChoiceFieldProps) {
  const reading = useQuery(promptList());
  return (
    <Loaded reading={reading}>
      {(prompts) => (
        <div className="form-grid">
          <FormField label={t`Stored prompt`}>
            {(control) => (
              <select
                {...control}
                className="field"
                required
                value={choice.promptId}
                onChange={({ currentTarget }) =>
                  onChange(withPrompt(choice, prompts, currentTarget.value))
                }
              >
                <option value="">{t`Choose a prompt`}</option>
                {prompts.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {markInvisible(name)}
                  </option>
                ))}
              </select>
            )}
          </FormField>
          {choice.promptId !== '' && <Version choice={choice} onChange={onChange} />}
        </div>
      )}
    </Loaded>
  );
}

/** Chooses a prompt in its newest version. */
const withPrompt = (
  choice: PromptChoice,
  prompts: readonly PromptSummary[],
  promptId: string,
): PromptChoice => ({
  ...choice,
  promptId,
  version: prompts.find(({ id }) => id === promptId)?.latest_version ?? 1,
});

function Version({ choice, onChange }: PromptChoiceFieldProps) {
  const reading = useQuery(promptDetail(choice.promptId));
  const versions = reading.data?.versions.map(({ version }) => version) ?? [choice.version];
  return (
    <FormField label={t`Version`}>
      {(control) => (
        <select
          {...control}
          className="field"
          value={choice.version}
          onChange={({ currentTarget }) =>
            onChange({ ...choice, version: Number(currentTarget.value) })
          }
        >
          {versions.map((version) => (
            <option key={version} value={version}>
              v{version}
            </option>
          ))}
        </select>
      )}
    </FormField>
  );
}
