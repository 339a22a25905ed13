import { t } from '@lingui/core/macro';
import { formatCount } from '../format.ts';
import { Collapsible } from './collapsible.tsx';
import { JsonTree } from './json-tree.tsx';
import { OtherFields } from './other-fields.tsx';
import type { Part, MediaPart } from './parse/model.ts';
import { ToolCard, ToolResultCard } from './tool-card.tsx';
import { LongText } from './long-text.tsx';
import { parseJson } from './parse/json.ts';
import { ExternalLink } from './external-link.tsx';
import { UntrustedText } from '../parts/text.tsx';
import './part-view.css';

/**
 * Shows an image, audio or file by its type and address. It is never loaded, because its server
 * would notice the request.
 */
export const MediaReference = ({ media: { type, url, value } }: { media: MediaPart }) => (
  <div className="media">
    <p data-content>
      <span className="badge">
        <UntrustedText text={type.replaceAll(/^(input|output)_|_url$/g, '')} />
      </span>{' '}
      {url === null ? t`stored with the message` : <ExternalLink url={url}>{url}</ExternalLink>}
    </p>
    <OtherFields fields={value} />
  </div>
);

/** Text written by a person or a model: rendered as Markdown unless it is JSON. */
export function TextContent({ text }: { text: string }) {
  const json = parseJson(text);
  return json ? <JsonTree label={t`Content`} value={json} /> : <LongText text={text} isMarkdown />;
}

/** One part of a message. */
export function PartView({ part }: { part: Part }) {
  switch (part.kind) {
    case 'text':
      return (
        <>
          <TextContent text={part.text} />
          <OtherFields fields={part.rest} />
        </>
      );
    case 'reasoning':
      return (
        <Collapsible title={reasoningTitle(part.text)} value={[part.text, part.rest]}>
          <TextContent text={part.text} />
          <OtherFields fields={part.rest} />
        </Collapsible>
      );
    case 'tool_call':
      return <ToolCard call={part} renderPart={renderPart} />;
    case 'tool_result':
      return <ToolResultCard result={part} renderPart={renderPart} />;
    case 'media':
      return <MediaReference media={part} />;
    default:
      return <JsonTree label={t`Content`} value={part.value} />;
  }
}

const renderPart = (part: Part) => <PartView part={part} />;

const reasoningTitle = (text: string): string =>
  text === '' ? t`Reasoning, without text` : t`Reasoning, ${formatCount(text.length)} characters`;
