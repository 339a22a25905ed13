import { markInvisible } from '../mark-invisible.ts';
import './text.css';

/**
 * Untrusted text, isolated from the surrounding text direction, with invisible characters marked.
 */
export const Text = ({ children }: { children: string }) => <bdi>{markInvisible(children)}</bdi>;

/** Untrusted text with invisible characters marked, for elements that isolate its direction. */
export const UntrustedText = ({ text }: { text: string }) => <>{markInvisible(text)}</>;

export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    // The region scrolls, so it must be focusable.
    <pre className="json" role="group" aria-label={label} tabIndex={0}>
      {markInvisible(JSON.stringify(value, null, 2))}
    </pre>
  );
}
