import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { api } from '../data/api.ts';
import type { Prompt } from '../data/prompt-sources.ts';
import { CloseIcon } from '../icons.tsx';
import { Text } from '../parts/text.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import './undo-move.css';

/**
 * A change of a label. Null versions mean that the label did not exist before or does not exist
 * after it.
 */
export interface Move {
  label: string;
  from: number | null;
  to: number | null;
}

/** Sets, moves or removes a label. Setting fails if the label has changed since `from` was read. */
export async function moveLabel(prompt_id: string, { label, from, to }: Move): Promise<void> {
  const params = { prompt_id, label };
  if (to === null) await api.prompts.deletePromptLabel({ params });
  else await api.prompts.putPromptLabel({ params, body: { version: to, expected_version: from } });
}

interface UndoMoveProps {
  prompt: Prompt;
  move: Move;
  /** Called when the change has been undone or the message dismissed. */
  onDone: (move: undefined) => void;
}

/** Describes a change of a label and allows undoing it. */
export function UndoMove({ prompt, move, onDone }: UndoMoveProps) {
  const { error, busy, attempt } = useAttempt();
  const undo = async () => {
    const { label, from, to } = move;
    if (await attempt(() => moveLabel(prompt.id, { label, from: to, to: from }))) onDone(undefined);
  };
  return (
    <div className="undo-move" role="status">
      <span>
        <Outcome move={move} />
      </span>
      <button type="button" className="button" disabled={busy} onClick={() => void undo()}>
        <Trans>Undo</Trans>
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={t`Dismiss`}
        onClick={() => onDone(undefined)}
      >
        <CloseIcon />
      </button>
      {error !== undefined && <span className="form-error">{error}</span>}
    </div>
  );
}

function Outcome({ move: { label, from, to } }: { move: Move }) {
  const name = <Text>{label}</Text>;
  if (to === null)
    return (
      <Trans>
        {name} was removed from v{from}.
      </Trans>
    );
  if (from === null)
    return (
      <Trans>
        {name} was set on v{to}.
      </Trans>
    );
  return (
    <Trans>
      {name} was moved from v{from} to v{to}.
    </Trans>
  );
}
