import type { Detector } from '../detector.ts';

/** The text without the brackets around the expected findings. */
export const unmarked = (marked: string): string => marked.replaceAll(/[[\]]/g, '');

/** The text with its findings in brackets. */
export function marked(text: string, detector: Detector): string {
  const findings = detector.find(text).toSorted((a, b) => a.start - b.start);
  let result = '';
  let done = 0;
  for (const { start, end } of findings) {
    if (start < done) continue;
    result += `${text.slice(done, start)}[${text.slice(start, end)}]`;
    done = end;
  }
  return result + text.slice(done);
}
