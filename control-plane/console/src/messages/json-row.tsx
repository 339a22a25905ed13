import { plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { CSSProperties } from 'react';
import { formatBytes } from '../format.ts';
import { ChevronIcon } from '../icons.tsx';
import { markInvisible } from '../mark-invisible.ts';
import { LongText } from './long-text.tsx';
import { useIsFound } from './matcher-context.ts';
import { sizeOf } from './parse/json-rows.ts';
import type { JsonRow } from './parse/json-rows.ts';

/** Maximum indentation: deeper rows would leave the page. */
const MAX_INDENT = 12;

interface JsonRowViewProps {
  row: JsonRow;
  onToggle?: () => void;
}

/** One row of a JSON tree: its name with a value, or with the size of an object or list. */
export function JsonRowView({ row, onToggle }: JsonRowViewProps) {
  const { name, value, level, open } = row;
  const indent = Math.min(level - 1, MAX_INDENT);
  return (
    <div className="json-row" style={{ '--indent': indent } as CSSProperties}>
      {open === undefined ? (
        <span className="json-toggle" />
      ) : (
        // The tree handles the keyboard; this button is only for the pointer.
        <span className="json-toggle" aria-hidden="true" onClick={onToggle}>
          <ChevronIcon />
        </span>
      )}
      {name !== null && (
        <>
          <bdi className={typeof name === 'number' ? 'json-index' : 'json-name'} data-content>
            {markInvisible(String(name))}
          </bdi>
          <span className="json-colon">:</span>
        </>
      )}
      {open === undefined ? <Scalar value={value} /> : <Size value={value} onToggle={onToggle} />}
    </div>
  );
}

function Size({ value, onToggle }: { value: unknown; onToggle: (() => void) | undefined }) {
  const size = typeof value === 'object' && value !== null ? sizeOf(value) : 0;
  const isList = Array.isArray(value);
  return (
    <span className="json-size" onClick={onToggle}>
      {isList ? '[ ]' : '{ }'}{' '}
      {isList
        ? plural(size, { one: '# item', other: '# items' })
        : plural(size, { one: '# member', other: '# members' })}
    </span>
  );
}

function Scalar({ value }: { value: unknown }) {
  if (typeof value === 'string') return <StringValue text={value} />;
  // An empty object or list, a number, a boolean or null.
  return (
    <span className="json-literal" data-content>
      {JSON.stringify(value)}
    </span>
  );
}

const CLIP_LENGTH = 1000;

function StringValue({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isFound = useIsFound(text);
  const isLong = text.length > CLIP_LENGTH;
  if (isLong && (isWhole || isFound))
    return (
      <div className="json-long">
        <LongText text={text} />
        {!isFound && (
          <button type="button" className="link" onClick={() => setWhole(false)}>
            <Trans>Show less</Trans>
          </button>
        )}
      </div>
    );
  return (
    <span className="json-string">
      <bdi data-content>{`"${markInvisible(text.slice(0, CLIP_LENGTH))}${isLong ? '…' : '"'}`}</bdi>{' '}
      {isLong && (
        <button type="button" className="link" onClick={() => setWhole(true)}>
          <Trans>Show all ({formatBytes(text.length)})</Trans>
        </button>
      )}
    </span>
  );
}
