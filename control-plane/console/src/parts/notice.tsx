import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { AlertIcon } from '../icons.tsx';
import type { QueryResult } from '../data/use-query.ts';
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

/** An error message of another program. It may be long, so it scrolls and is focusable. */
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

/** Loading state. It takes about the space of a list, so that the content below does not jump. */
export const Loading = () => (
  <div className="loading" aria-busy="true">
    <p>
      <Trans>Loading…</Trans>
    </p>
  </div>
);

interface LoadedProps<T> {
  reading: QueryResult<T>;
  children: (data: T) => ReactNode;
}

/**
 * Renders data once it is loaded, and a placeholder before. An error has a retry button. If a
 * refetch fails, the previous data stays visible.
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
