import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ArrowUpIcon, CloseIcon } from '../icons.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Text } from '../parts/text.tsx';
import './side-panel.css';

interface SidePanelProps {
  title: string;
  /** URL of the full page of the row. */
  page?: string;
  /** Opens the previous or next row; without effect at the ends. */
  onMove: (step: 1 | -1) => void;
  onClose: () => void;
  children: ReactNode;
}

/** Side panel with one row of a list. Not modal, so the list stays usable. */
export function SidePanel({ title, page, onMove, onClose, children }: SidePanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <section className="side-panel" aria-labelledby="side-panel-title">
      <header>
        <h2 ref={heading} id="side-panel-title" tabIndex={-1}>
          <Text>{title}</Text>
        </h2>
        <button
          type="button"
          className="icon-button"
          aria-label={t`Previous row`}
          title={t`Previous (k)`}
          onClick={() => onMove(-1)}
        >
          <ArrowUpIcon />
        </button>
        <button
          type="button"
          className="icon-button next-row"
          aria-label={t`Next row`}
          title={t`Next (j)`}
          onClick={() => onMove(1)}
        >
          <ArrowUpIcon />
        </button>
        <CopyButton key={location.href} text={location.href} label={t`Copy link`} />
        {page !== undefined && (
          <Link to={page} className="button">
            <Trans>Open page</Trans>
          </Link>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label={t`Close`}
          title={t`Close (Esc)`}
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      </header>
      <div className="side-panel-body">{children}</div>
    </section>
  );
}
