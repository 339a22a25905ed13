import { renderMarkdown } from '../messages/markdown.tsx';

/**
 * Renders the instructions of a queue. In a separate file so that Markdown is loaded only if
 * needed.
 */
export const Instructions = ({ text }: { text: string }) => (
  <div className="markdown">{renderMarkdown({ text, fence: null })}</div>
);
