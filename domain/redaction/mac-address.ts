import type { Detector } from './detector.ts';
import { TextIndex } from './text-index.ts';

const LENGTH = 'xx:xx:xx:xx:xx:xx'.length;

const address = /(?<![\w:.-])[\da-f]{2}([:-])(?:[\da-f]{2}\1){4}[\da-f]{2}(?![\w:-]|\.\w)/gi;

/** Six numbers without a letter are also times and counts; no card has only letters or zeros. */
const isAddress = (text: string): boolean => /[a-f]/i.test(text) && /\d/.test(text);

/**
 * EUI-48 addresses as IEEE (`00-1A-2B-3C-4D-5E`) and the IETF (`00:1a:2b:3c:4d:5e`) write them.
 * Longer rows of bytes are fingerprints and dumps.
 *
 * Source: https://www.rfc-editor.org/rfc/rfc9542
 */
export const macAddress: Detector = {
  type: 'MAC_ADDRESS',
  minLength: LENGTH,
  find: (text, { keyRuns } = new TextIndex(text)) =>
    keyRuns
      .filter(({ start, end }) => end - start >= LENGTH)
      .flatMap((run) =>
        [...text.slice(run.start, run.end).matchAll(address)]
          .filter(([found]) => isAddress(found))
          .map(({ index }) => ({ start: run.start + index, end: run.start + index + LENGTH })),
      ),
};
