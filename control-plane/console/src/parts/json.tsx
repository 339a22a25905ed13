import { visible } from '../visible.ts';
import './json.css';

export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    // The region scrolls, so the keyboard must reach it.
    <pre className="json" role="group" aria-label={label} tabIndex={0}>
      {visible(JSON.stringify(value, null, 2))}
    </pre>
  );
}
