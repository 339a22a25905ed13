import { visible } from '../visible.ts';

/** Untrusted text in one line, with what was searched for marked. */
export function Highlighted({ text, search }: { text: string; search: string }) {
  const at = search === '' ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
  if (at < 0) return <bdi>{visible(text)}</bdi>;
  const end = at + search.length;
  return (
    <bdi>
      {visible(text.slice(0, at))}
      <mark>{visible(text.slice(at, end))}</mark>
      {visible(text.slice(end))}
    </bdi>
  );
}
