import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { Nodes, PhrasingContent, Root, RootContent, Table } from 'mdast';
import { CopyButton } from '../parts/copy-button.tsx';
import { ExternalLink } from './external-link.tsx';
import { parseMarkdown } from './parse-markdown.ts';
import type { TextPiece } from './parse/text-pieces.ts';
import { UntrustedText } from '../parts/text.tsx';
import './markdown.css';

/**
 * Renders Markdown as React elements. No HTML is involved: every text becomes a text node,
 * including tags, and no external resource is loaded.
 */
function Markdown({ piece: { text, fence } }: { piece: TextPiece }) {
  // A piece that starts inside a code block is parsed as code.
  const source = fence === null ? text : fence + text;
  const tree = useMemo(() => parseMarkdown(source), [source]);
  if (!tree) return <div className="plain-text">{<UntrustedText text={text} />}</div>;
  return <>{render(tree, { source, depth: 0 })}</>;
}

export const renderMarkdown = (piece: TextPiece): ReactNode => <Markdown piece={piece} />;

interface Place {
  source: string;
  depth: number;
}

/** Maximum nesting depth: a browser cannot lay out deeper documents. */
const MAX_DEPTH = 30;

type Parent = Root | Extract<RootContent, { children: unknown[] }>;

function render(parent: Parent, { source, depth }: Place): ReactNode[] {
  const place = { source, depth: depth + 1 };
  return parent.children.map((node, at) => (
    // The index is a stable key: the tree does not change.
    <Node key={at} node={node} place={place} />
  ));
}

function Node({ node, place }: { node: RootContent; place: Place }) {
  if (place.depth > MAX_DEPTH) return <Source node={node} place={place} />;
  return isPhrasing(node) ? phrasing(node, place) : flow(node, place);
}

type Phrasing = Extract<
  PhrasingContent,
  { type: 'text' | 'emphasis' | 'strong' | 'delete' | 'inlineCode' | 'break' | 'link' | 'image' }
>;

const phrasingTypes = new Set<string>([
  'text',
  'emphasis',
  'strong',
  'delete',
  'inlineCode',
  'break',
  'link',
  'image',
] satisfies Phrasing['type'][]);
const isPhrasing = (node: RootContent): node is Phrasing => phrasingTypes.has(node.type);

function phrasing(node: Phrasing, place: Place): ReactNode {
  switch (node.type) {
    case 'text':
      return <UntrustedText text={node.value} />;
    case 'emphasis':
      return <em>{render(node, place)}</em>;
    case 'strong':
      return <strong>{render(node, place)}</strong>;
    case 'delete':
      return <del>{render(node, place)}</del>;
    case 'inlineCode':
      return (
        <code>
          <UntrustedText text={node.value} />
        </code>
      );
    case 'break':
      return <br />;
    case 'link':
      return (
        <ExternalLink url={node.url} title={node.title}>
          {render(node, place)}
        </ExternalLink>
      );
    default:
      return <Image url={node.url} alt={node.alt ?? ''} title={node.title ?? ''} />;
  }
}

/** An image, shown by its alternative text and address. */
const Image = ({ url, alt, title }: { url: string; alt: string; title: string }) => (
  <span className="image-reference">
    <span className="badge">
      <Trans>Image</Trans>
    </span>{' '}
    {[alt, title].map((text) => text !== '' && <UntrustedText key={text} text={`${text} `} />)}
    <ExternalLink url={url}>{url}</ExternalLink>
  </span>
);

const headingClasses = ['heading level-1', 'heading level-2'];

function flow(node: Exclude<RootContent, Phrasing>, place: Place): ReactNode {
  switch (node.type) {
    case 'paragraph':
      return <p>{render(node, place)}</p>;
    case 'heading':
      // The headings of the page belong to the console, so a recorded heading is only bold.
      return <p className={headingClasses[node.depth - 1] ?? 'heading'}>{render(node, place)}</p>;
    case 'blockquote':
      return <blockquote>{render(node, place)}</blockquote>;
    case 'code':
      return <Code text={node.value} info={[node.lang, node.meta].filter(Boolean).join(' ')} />;
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1}>{render(node, place)}</ol>
      ) : (
        <ul>{render(node, place)}</ul>
      );
    case 'listItem':
      return (
        <li>
          {typeof node.checked === 'boolean' && <Checked checked={node.checked} />}
          {render(node, place)}
        </li>
      );
    case 'table':
      return <TableView table={node} place={place} />;
    case 'thematicBreak':
      return <hr />;
    default:
      return <Source node={node} place={place} />;
  }
}

/** The source text of a node. */
function Source({ node, place }: { node: Nodes; place: Place }) {
  const { start, end } = node.position ?? {};
  return (
    <span className="plain-text">
      <UntrustedText text={place.source.slice(start?.offset ?? 0, end?.offset)} />
    </span>
  );
}

const Checked = ({ checked }: { checked: boolean }) => (
  <span role="img" aria-label={checked ? t`Done` : t`Not done`}>
    {checked ? '☑' : '☐'}{' '}
  </span>
);

function Code({ text, info }: { text: string; info: string }) {
  return (
    <div className="code-block">
      <div className="code-header">
        <span className="muted">
          <UntrustedText text={info} />
        </span>
        <CopyButton text={text} label={t`Copy code`} />
      </div>
      <pre>
        <code>
          <UntrustedText text={text} />
        </code>
      </pre>
    </div>
  );
}

function TableView({ table, place }: { table: Table; place: Place }) {
  const [head, ...rows] = table.children;
  return (
    // The region scrolls, so the keyboard must reach it.
    <div className="table-scroller" role="region" aria-label={t`Table`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head?.children.map((cell, at) => (
              <th key={at}>{render(cell, place)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.children.map((cell, at) => (
                <td key={at}>{render(cell, place)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
