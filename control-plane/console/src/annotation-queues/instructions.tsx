import { renderMarkdown } from '../messages/markdown.tsx';

/** A file of its own, because Markdown is loaded only where there are instructions. */
export const Instructions = ({ text }: { text: string }) => (
  <div className="markdown">{renderMarkdown({ text, fence: null })}</div>
);
