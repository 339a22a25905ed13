import { Trans } from '@lingui/react/macro';
import { use, useMemo, useState, useEffect } from 'react';
import { formatBytes } from '../format.ts';
import { useOnceVisible } from '../parts/use-once-visible.ts';
import { MatcherContext } from './matcher-context.ts';
import { textPieces, type TextPiece } from './parse/text-pieces.ts';
import { hasMatch } from './parse/text-search.ts';
import { UntrustedText } from '../parts/text.tsx';
import type { renderMarkdown } from './markdown.tsx';
import './long-text.css';

type Render = typeof renderMarkdown;

let loaded: Render | undefined;

/**
 * Returns the Markdown renderer, which is loaded when the first text scrolls into view. Undefined
 * until then, and if loading fails. Not Suspense, because it would hide the plain text during
 * loading.
 */
export function useMarkdown(isWanted: boolean): Render | undefined {
  const [, setLoaded] = useState(loaded !== undefined);
  useEffect(() => {
    if (!isWanted) return undefined;
    let isCurrent = true;
    // Another text may have loaded the renderer since this one was rendered.
    void load().then(() => {
      if (isCurrent) setLoaded(true);
    });
    return () => {
      isCurrent = false;
    };
  }, [isWanted]);
  return isWanted ? loaded : undefined;
}

async function load(): Promise<void> {
  try {
    loaded ??= (await import('./markdown.tsx')).renderMarkdown;
  } catch {
    // The text stays plain.
  }
}

/** Number of pieces added by each click. */
const STEP = 16;

interface LongTextProps {
  text: string;
  isMarkdown?: boolean;
}

/** Text of any length: the beginning, with the rest on request or if a search matches in it. */
export function LongText({ text, isMarkdown = false }: LongTextProps) {
  const pieces = useMemo(() => textPieces(text), [text]);
  const [asked, setAsked] = useState(1);
  const shown = Math.max(asked, useFoundPieces(pieces));
  const left = pieces.slice(shown).reduce((sum, piece) => sum + piece.text.length, 0);
  return (
    <div className={isMarkdown ? 'long-text markdown' : 'long-text plain-text'}>
      {pieces.slice(0, shown).map((piece, at) => (
        // The index is a stable key: recorded texts do not change.
        <Piece key={at} piece={piece} isMarkdown={isMarkdown} />
      ))}
      {left > 0 && (
        <p className="more-text">
          <button type="button" className="button" onClick={() => setAsked(shown + STEP)}>
            <Trans>Show more ({formatBytes(left)} left)</Trans>
          </button>
          {pieces.length - shown > STEP && (
            <button type="button" className="button" onClick={() => setAsked(pieces.length)}>
              <Trans>Show all</Trans>
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** The number of pieces that must be shown to include all matches. */
function useFoundPieces(pieces: readonly TextPiece[]): number {
  const matcher = use(MatcherContext);
  return useMemo(
    () => (matcher ? 1 + pieces.findLastIndex(({ text }) => hasMatch(matcher, text)) : 0),
    [matcher, pieces],
  );
}

/** A piece of text. Markdown is rendered once it scrolls into view; until then it is plain text. */
function Piece({ piece, isMarkdown }: { piece: TextPiece; isMarkdown: boolean }) {
  const { watch, wasVisible } = useOnceVisible();
  const render = useMarkdown(isMarkdown && wasVisible);
  return (
    <div ref={watch} className="piece" data-content>
      {render ? (
        render(piece)
      ) : (
        <div className="plain-text">
          <UntrustedText text={piece.text} />
        </div>
      )}
    </div>
  );
}
