import { Trans } from '@lingui/react/macro';
import { Component } from 'react';
import type { ReactNode } from 'react';
import { Notice } from './notice.tsx';

interface BoundaryState {
  failed: boolean;
}

/** Error boundary: a page that fails to render leaves the shell intact. React requires a class. */
export class Boundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failed: false };

  static getDerivedStateFromError(): BoundaryState {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Notice tone="bad">
        <Trans>
          This page failed to render.{' '}
          <button type="button" className="link" onClick={() => location.reload()}>
            Reload
          </button>
        </Trans>
      </Notice>
    );
  }
}
