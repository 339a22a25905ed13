import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId, useState } from 'react';
import type { SubmitEvent } from 'react';
import type { Prompt } from '../data/prompt-sources.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Text } from '../parts/text.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { markInvisible } from '../mark-invisible.ts';
import { similarLabel } from './label-names.ts';
import { moveLabel } from './undo-move.tsx';
import type { Move } from './undo-move.tsx';
import './pick-label.css';

interface PickLabelProps {
  prompt: Prompt;
  /** The version that gets the label; if undefined, the user chooses it. */
  version?: number;
  /** The label to move; if undefined, the user chooses it. */
  label?: string;
  onMoved: (move: Move) => void;
  onClose: () => void;
}

const NEW = '';

/** The version that has a label; null if no version has it. */
export const versionOf = ({ versions }: Prompt, label: string): number | null =>
  versions.find(({ labels }) => labels.includes(label))?.version ?? null;

/** Dialog that moves a label to a version and first shows what changes for agents. */
export function PickLabel({ prompt, version, label, onMoved, onClose }: PickLabelProps) {
  const free = prompt.labels.filter((one) => versionOf(prompt, one) !== version);
  const [picked, setPicked] = useState(label ?? free[0] ?? NEW);
  const [typed, setTyped] = useState('');
  const [to, setTo] = useState(version ?? prompt.latest_version);
  const [isSure, setSure] = useState(false);
  const { error, busy, attempt } = useAttempt();
  const name = picked === NEW ? typed.trim() : picked;
  const from = versionOf(prompt, name);
  const similar = picked === NEW ? similarLabel(name, prompt.labels) : undefined;
  const isDistinct = similar === undefined || isSure;
  const isReady = [!busy, name !== '', from !== to, isDistinct].every(Boolean);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const move = { label: name, from, to };
    if (!(await attempt(() => moveLabel(prompt.id, move)))) return;
    onMoved(move);
    onClose();
  };
  return (
    <Dialog
      title={label === undefined ? t`Set a label on v${to}` : t`Move ${label}`}
      onClose={onClose}
    >
      <form onSubmit={(event) => void submit(event)}>
        {label === undefined && (
          <LabelChoice
            prompt={prompt}
            options={free}
            picked={picked}
            typed={typed}
            onPick={setPicked}
            onType={(text) => {
              setTyped(text);
              setSure(false);
            }}
          />
        )}
        {version === undefined && (
          <label>
            <Trans>To version</Trans>
            <select
              className="field"
              value={to}
              onChange={({ target }) => setTo(Number(target.value))}
            >
              {prompt.versions.map((one) => (
                <option key={one.version} value={one.version}>
                  {`v${one.version} ${markInvisible(one.commit_message)}`.slice(0, 80)}
                </option>
              ))}
            </select>
          </label>
        )}
        {similar !== undefined && (
          <Similar
            label={name}
            similar={similar}
            isSure={isSure}
            onSure={setSure}
            onUse={() => {
              if (prompt.labels.includes(similar)) setPicked(similar);
              else setTyped(similar);
            }}
          />
        )}
        {name !== '' && <Outcome name={name} from={from} to={to} />}
        <p className="form-error" role="alert">
          {error}
        </p>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            <Trans>Cancel</Trans>
          </button>
          <button type="submit" className="button primary" disabled={!isReady}>
            {from === null ? t`Set label` : t`Move label`}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface LabelChoiceProps {
  prompt: Prompt;
  options: readonly string[];
  picked: string;
  typed: string;
  onPick: (label: string) => void;
  onType: (text: string) => void;
}

function LabelChoice({ prompt, options, picked, typed, onPick, onType }: LabelChoiceProps) {
  const group = useId();
  return (
    <fieldset className="label-choice">
      <legend>
        <Trans>Label</Trans>
      </legend>
      {options.map((one) => (
        <label key={one}>
          <input type="radio" name={group} checked={picked === one} onChange={() => onPick(one)} />
          <Text>{one}</Text>{' '}
          <span className="muted">
            <Trans>on v{versionOf(prompt, one)}</Trans>
          </span>
        </label>
      ))}
      <label>
        <input type="radio" name={group} checked={picked === NEW} onChange={() => onPick(NEW)} />
        <Trans>New label</Trans>
      </label>
      {picked === NEW && (
        <input
          className="field"
          aria-label={t`Name of the new label`}
          required
          maxLength={100}
          autoComplete="off"
          placeholder="production"
          value={typed}
          onChange={({ target }) => onType(target.value)}
        />
      )}
    </fieldset>
  );
}

interface SimilarProps {
  label: string;
  similar: string;
  isSure: boolean;
  onSure: (isSure: boolean) => void;
  onUse: () => void;
}

const Similar = ({ label, similar, isSure, onSure, onUse }: SimilarProps) => (
  <div className="notice warn" role="note">
    <div>
      <p>
        <Trans>
          <Text>{label}</Text> is similar to <Text>{similar}</Text>. Agents that fetch{' '}
          <Text>{similar}</Text> would not get it.{' '}
          <button type="button" className="link" onClick={onUse}>
            Use {markInvisible(similar)}
          </button>
        </Trans>
      </p>
      <label>
        <input type="checkbox" checked={isSure} onChange={({ target }) => onSure(target.checked)} />{' '}
        <Trans>This is a different label</Trans>
      </label>
    </div>
  </div>
);

/** Describes which version agents will fetch. */
function Outcome({ name, from, to }: { name: string; from: number | null; to: number }) {
  const label = <Text>{name}</Text>;
  if (from === to)
    return (
      <p className="muted">
        <Trans>
          {label} points to v{to} already.
        </Trans>
      </p>
    );
  if (from === null)
    return (
      <p>
        <Trans>
          The new label {label} will point to <strong>v{to}</strong>.
        </Trans>
      </p>
    );
  return (
    <p>
      <Trans>
        {label} moves from <strong>v{from}</strong> to <strong>v{to}</strong>. Agents that fetch the
        label get v{to} at once.
      </Trans>
    </p>
  );
}
