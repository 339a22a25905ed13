import { t } from '@lingui/core/macro';
import { CloseButton } from '../parts/dialog-actions.tsx';
import type { User } from '../data/session.ts';
import { Dialog } from '../parts/dialog.tsx';
import { pagesFor } from './sidebar-pages.tsx';
import './key-list.css';

const general = [
  [[t`Ctrl`, 'K'], t`Go to a page, run, agent, user, device, prompt or policy`],
  [['/'], t`Search on this page`],
  [['j'], t`Next row of a list`],
  [['k'], t`Previous row of a list`],
  [[t`Enter`], t`Open the row`],
  [['?'], t`Show these keys`],
  [['n'], t`In a trace: next error; previous with Shift`],
  [['+'], t`In a trace: zoom into the time; out with -, all of it with 0`],
  [['z'], t`In a trace: show only the time of the record`],
  [[t`Shift`, '←'], t`In a trace: move the time that is shown; also Shift →`],
  [['1'], t`In an annotation queue: choose the first value of the score; up to 9`],
  [['s'], t`In an annotation queue: skip the run; c to the comment`],
  [[t`Ctrl`, t`Enter`], t`In an annotation queue: complete the run`],
  [[t`Esc`], t`Close`],
] as const;

interface KeyListProps {
  user: User;
  onClose: () => void;
}

export function KeyList({ user, onClose }: KeyListProps) {
  const pages = pagesFor(user).flatMap((group) => group.pages);
  return (
    <Dialog title={t`Keyboard shortcuts`} wide onClose={onClose}>
      <dl className="key-list">
        {general.map(([keys, what]) => (
          <Keys key={what} keys={keys} what={what} />
        ))}
        {pages.map(({ letter, name }) => (
          <Keys key={name} keys={['g', letter]} what={name} />
        ))}
      </dl>
      <CloseButton onClose={onClose} />
    </Dialog>
  );
}

const Keys = ({ keys, what }: { keys: readonly string[]; what: string }) => (
  <div>
    <dt>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </dt>
    <dd>{what}</dd>
  </div>
);
