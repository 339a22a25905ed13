import { Component } from 'react';
import type { ReactNode } from 'react';
import { Notice } from './notice.tsx';

interface BoundaryState {
  failed: boolean;
}

/** A page that cannot be drawn leaves the rest standing. Only a class can be a boundary. */
export class Boundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failed: false };

  static getDerivedStateFromError(): BoundaryState {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Notice tone="bad">
        This page could not be shown.{' '}
        <button type="button" className="link" onClick={() => location.reload()}>
          Load it again
        </button>
      </Notice>
    );
  }
}
