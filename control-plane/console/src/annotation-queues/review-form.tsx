import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { KeyboardEvent as ReactKeyboardEvent, SubmitEvent } from 'react';
import type { ClaimedItem, GivenScore, ScoreConfig } from '../data/annotation-queue-sources.ts';
import { FormField } from '../parts/form-field.tsx';
import { isTyping } from '../shell/shortcut-keys.ts';
import {
  draftOfGiven,
  givenScoresOf,
  hasValue,
  optionOfKey,
  optionsOf,
  reviewKeyOf,
} from './review-draft.ts';
import type { ReviewDraft } from './review-draft.ts';
import { ScoreField } from './score-field.tsx';

export interface Reviewed {
  scores: GivenScore[];
  comment?: string;
}

/** Entries that have not been sent yet. */
export interface Entered {
  draft: ReviewDraft;
  comment: string;
}

interface ReviewFormProps {
  configs: readonly ScoreConfig[];
  item: ClaimedItem;
  /** What was entered for this item before another one was shown. */
  entered: Entered | undefined;
  busy: boolean;
  onEntered: (entered: Entered) => void;
  onComplete: (reviewed: Reviewed) => void;
  onSkip: () => void;
}

/** The form for the scores of one item. A digit chooses a value and moves to the next score. */
export function ReviewForm({ configs, item, busy, onComplete, onSkip, ...kept }: ReviewFormProps) {
  const [entered, setEntered] = useState<Entered>(
    () => kept.entered ?? { draft: draftOfGiven(item.scores), comment: item.comment ?? '' },
  );
  const { draft, comment } = entered;
  const enter = (change: Partial<Entered>) => {
    const next = { ...entered, ...change };
    setEntered(next);
    kept.onEntered(next);
  };
  const form = useRef<HTMLFormElement>(null);
  const group = useId();
  const put = (name: string, value: string) => enter({ draft: { ...draft, [name]: value } });
  const focusAt = (at: number) => focusScore(form.current, at);
  const onValueKey = (key: string) => {
    const at = scoreInFocus() ?? configs.findIndex((config) => !hasValue(draft, config));
    const config = configs[at];
    if (!config) return;
    if (optionsOf(config) === undefined) {
      put(config.name, key);
      return focusAt(at);
    }
    const option = optionOfKey(config, key);
    if (!option) return;
    put(config.name, option.value);
    focusAt(at + 1);
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // Without the check for `repeat`, holding a key down would skip runs that the reviewer has not
    // seen.
    if (event.defaultPrevented || event.isComposing || event.repeat || busy) return;
    if (document.querySelector('dialog[open]')) return;
    const action = reviewKeyOf(event, isTyping(document.activeElement));
    if (!action) return;
    event.preventDefault();
    if (action.kind === 'value') onValueKey(action.key);
    else if (action.kind === 'complete') form.current?.requestSubmit();
    else if (action.kind === 'skip') onSkip();
    else form.current?.querySelector('textarea')?.focus();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const scores = givenScoresOf(configs, draft);
    onComplete({ scores, ...(comment.trim() !== '' && { comment }) });
  };
  return (
    <form ref={form} className="card review-form" aria-label={t`Scores`} onSubmit={submit}>
      {configs.map((config, at) => (
        <ScoreField
          key={config.name}
          config={config}
          at={at}
          group={`${group}-${at}`}
          value={draft[config.name] ?? ''}
          onChange={(value) => put(config.name, value)}
          onEnter={(event) => focusNextOnEnter(event, () => focusAt(at + 1))}
        />
      ))}
      <FormField label={t`Comment`}>
        {(control) => (
          <textarea
            {...control}
            className="field"
            rows={3}
            maxLength={100_000}
            value={comment}
            onChange={({ target }) => enter({ comment: target.value })}
          />
        )}
      </FormField>
      <div className="button-row">
        <button type="submit" className="button primary" disabled={busy} title={t`Ctrl Enter`}>
          <Trans>Complete</Trans>
        </button>
        <button type="button" className="button" disabled={busy} title="s" onClick={onSkip}>
          <Trans>Skip</Trans>
        </button>
      </div>
      <p className="hint">
        <Trans>
          Keys: <kbd>1</kbd>–<kbd>9</kbd> choose a value, <kbd>c</kbd> comment, <kbd>s</kbd> skip,{' '}
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> complete.
        </Trans>
      </p>
    </form>
  );
}

/**
 * Moves to the next score when Enter is pressed in a number field, instead of completing the item.
 */
function focusNextOnEnter(event: ReactKeyboardEvent, next: () => void): void {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  next();
}

/** The index of the score whose control has the focus. */
function scoreInFocus(): number | undefined {
  const at = document.activeElement?.closest<HTMLElement>('[data-score]')?.dataset.score;
  return at === undefined ? undefined : Number(at);
}

/** Focuses the control of this score or, after the last score, the button. */
function focusScore(form: HTMLFormElement | null, at: number): void {
  const score = form?.querySelector(`[data-score="${at}"]`);
  const control =
    score?.querySelector<HTMLElement>('input:checked') ??
    score?.querySelector<HTMLElement>('input') ??
    form?.querySelector<HTMLElement>('button[type=submit]');
  control?.focus();
}
