import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { AlertIcon } from '../icons.tsx';
import type { Reading } from '../data/use-query.ts';
import { Text } from './text.tsx';
import './notice.css';

export function Notice({ tone, children }: { tone: 'warn' | 'bad'; children: ReactNode }) {
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'note'}>
      <AlertIcon />
      <div>{children}</div>
    </div>
  );
}

/** An error from another program: it may be long, so it scrolls and takes focus. */
export const ErrorText = ({ children }: { children: string }) => (
  <p className="error-text" role="group" aria-label={t`Error`} tabIndex={0}>
    <Text>{children}</Text>
  </p>
);

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Keeps about the space of a list, so that what follows does not jump. */
export const Loading = () => (
  <div className="loading" aria-busy="true">
    <p>
      <Trans>Loading…</Trans>
    </p>
  </div>
);

interface LoadedProps<T> {
  reading: Reading<T>;
  children: (data: T) => ReactNode;
}

/**
 * Renders data once it is loaded; before, a placeholder. An error has a retry button. If a refetch
 * fails, the previous data stay in place.
 */
export function Loaded<T>({ reading, children }: LoadedProps<T>) {
  const { data, error, refetch } = reading;
  return (
    <>
      {error !== undefined && (
        <div className={data === undefined ? undefined : 'floating'}>
          <Notice tone="bad">
            {error}{' '}
            <button type="button" className="link" onClick={() => void refetch()}>
              <Trans>Try again</Trans>
            </button>
          </Notice>
        </div>
      )}
      {data === undefined ? !error && <Loading /> : children(data)}
    </>
  );
}
