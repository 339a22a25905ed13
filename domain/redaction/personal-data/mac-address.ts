import { type Detector, endOf, type Finding } from '../detector.ts';
import { TextIndex } from '../text-index.ts';

const LENGTH = 'xx:xx:xx:xx:xx:xx'.length;

const address = /(?<![\w:.-])[\da-f]{2}([:-])(?:[\da-f]{2}\1){4}[\da-f]{2}(?![\w:-]|\.\w)/iy;

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
  find(text, { keyRuns } = new TextIndex(text)) {
    const findings: Finding[] = [];
    for (const run of keyRuns)
      for (let start = run.start; start <= run.end - LENGTH; start += 1) {
        if (!hasSeparators(text, start)) continue;
        const end = endOf(address, text, start);
        if (end !== -1 && isAddress(text.slice(start, end))) findings.push({ start, end });
      }
    return findings;
  },
};

const [COLON, HYPHEN] = [':', '-'].map((character) => character.charCodeAt(0));

/** A cheap test: the same separator after each of the first two bytes. */
function hasSeparators(text: string, start: number): boolean {
  const separator = text.charCodeAt(start + 2);
  return (separator === COLON || separator === HYPHEN) && text.charCodeAt(start + 5) === separator;
}
