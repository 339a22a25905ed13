import { useEffect, useState } from 'react';
import type { Stream } from './parse/read-stream.ts';

/**
 * Whether a text may be a stream of events or truncated JSON. The code for these is as large as all
 * other code for messages, so it is loaded only if needed.
 */
export function needsStreamReader(text: string, isCut: boolean): boolean {
  if (/^\uFEFF?(?::|(?:data|event|id|retry):)/.test(text)) return true;
  if (isCut) return /^\s*[[{]/.test(text);
  return /^\s*\{[^\n]*\}\s*\n\s*\{/.test(text);
}

/** The result of the stream reader for a text. */
export interface ReadStream {
  stream?: Stream | undefined;
  /** The truncated JSON, as far as it was recorded. */
  cut?: object | undefined;
}

const nothing: ReadStream = {};

/** Reads streams and truncated JSON. Undefined until the reader is loaded. */
export function useStream(value: unknown, isCut: boolean): ReadStream | undefined {
  const text = typeof value === 'string' && needsStreamReader(value, isCut) ? value : undefined;
  const [read, setRead] = useState<{ text: string; result: ReadStream }>();
  useEffect(() => {
    if (text === undefined) return undefined;
    let isCurrent = true;
    void readWhenLoaded(text, isCut).then((result) => {
      if (isCurrent) setRead({ text, result });
    });
    return () => {
      isCurrent = false;
    };
  }, [text, isCut]);
  if (text === undefined) return nothing;
  return read?.text === text ? read.result : undefined;
}

/**
 * Loads the reader and reads the text. If loading fails, the result is empty and the text is shown
 * unchanged.
 */
async function readWhenLoaded(text: string, isCut: boolean): Promise<ReadStream> {
  try {
    const { readStream, readTruncatedJson } = await import('./parse/read-stream.ts');
    const stream = readStream(text);
    return stream || !isCut ? { stream } : { cut: readTruncatedJson(text) };
  } catch {
    return nothing;
  }
}
