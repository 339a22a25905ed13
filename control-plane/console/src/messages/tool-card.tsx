import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { State } from '../parts/badge.tsx';
import { JsonTree } from './json-tree.tsx';
import { LongText } from './long-text.tsx';
import { OtherFields } from './other-fields.tsx';
import { parseJson } from './parse/json.ts';
import type { Part, ToolCallPart, ToolResultPart } from './parse/model.ts';
import { UntrustedText } from '../parts/text.tsx';
import './tool-card.css';

interface ToolCardProps {
  call: ToolCallPart;
  renderPart: RenderPart;
}

/**
 * Renders a part of an output that is not text. Passed as a prop, because parts contain tool cards.
 */
type RenderPart = (part: Part) => ReactNode;

/** A tool call with its result, if it was recorded. */
export function ToolCard({ call, renderPart }: ToolCardProps) {
  const { name, id, input, result, rest } = call;
  return (
    <div className="tool-card" role="group" aria-label={t`Tool call`}>
      <ToolHeader kind="Tool call" name={name} id={id} />
      <Input value={input} />
      <OtherFields fields={rest} />
      {result && (
        <div className="tool-result">
          <p className="tool-header">
            <span>
              <Trans>Result</Trans>
            </span>
            {result.by === 'order' && (
              <span className="muted">
                <Trans>matched by order</Trans>
              </span>
            )}
            {result.failed && (
              <State tone="bad">
                <Trans>Error</Trans>
              </State>
            )}
          </p>
          <Output result={result} renderPart={renderPart} />
        </div>
      )}
    </div>
  );
}

/** A result whose call was not recorded with it. */
export const ToolResultCard = ({ result, renderPart }: OutputProps) => (
  <div className="tool-card" role="group" aria-label={t`Tool result`}>
    <ToolHeader kind="Tool result" name={result.name} id={result.id} />
    {result.failed && (
      <State tone="bad">
        <Trans>Error</Trans>
      </State>
    )}
    <Output result={result} renderPart={renderPart} />
  </div>
);

interface ToolHeaderProps {
  kind: string;
  name: string | null;
  id: string | null;
}

const ToolHeader = ({ kind, name, id }: ToolHeaderProps) => (
  <p className="tool-header">
    <span>{kind}</span>
    {name !== null && (
      <bdi className="tool-name" data-content>
        <UntrustedText text={name} />
      </bdi>
    )}
    {id !== null && (
      <bdi className="mono muted" data-content>
        <UntrustedText text={id} />
      </bdi>
    )}
  </p>
);

function Input({ value }: { value: unknown }) {
  if (value === null || value === undefined || value === '') return null;
  const json = typeof value === 'string' ? parseJson(value) : value;
  if (typeof value === 'string' && !json) return <LongText text={value} />;
  return <JsonTree label={t`Arguments`} value={json} />;
}

interface OutputProps {
  result: ToolResultPart;
  renderPart: RenderPart;
}

const Output = ({ result: { output, rest }, renderPart }: OutputProps) => (
  <>
    {output.length === 0 && (
      <p className="muted">
        <Trans>No content</Trans>
      </p>
    )}
    {output.map((part, at) => (
      // The index is a stable key: recorded results do not change.
      <OutputPart key={at} part={part} renderPart={renderPart} />
    ))}
    <OtherFields fields={rest} />
  </>
);

/**
 * Shows a part of a tool's output. Output is data: a file or a page in it must not be rendered as
 * Markdown.
 */
function OutputPart({ part, renderPart }: { part: Part; renderPart: RenderPart }) {
  if (part.kind !== 'text') return renderPart(part);
  const json = parseJson(part.text);
  return (
    <>
      {json ? <JsonTree label={t`Result`} value={json} /> : <LongText text={part.text} />}
      <OtherFields fields={part.rest} />
    </>
  );
}
