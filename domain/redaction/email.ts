import { type Detector, endOf, type Finding } from './detector.ts';

// The local part up to its maximum length, then a host of at least two labels up to the maximum of
// DNS. The pattern starts at the `@`, so only positions with one are tried.
const candidate =
  /@(?<=([\w.%+'\u00C0-\u024F-]{1,64})@)(?=[A-Za-z0-9][A-Za-z0-9-]{0,62}\.[A-Za-z0-9])(?=([A-Za-z0-9.-]{3,252}[A-Za-z0-9]))/g;
/** A label that is empty or too long, or starts or ends with a dash. */
const badLabel = /^-|\.[.-]|-\.|(?:^|\.)[^.]{64}/;
const topLevel = /\.[A-Za-z]{2,24}$/;
/** Image sizes (`logo@2x.png`) and package versions (`left-pad@1.3.js`) look like addresses. */
const fileEnding =
  /\.(?:png|jpe?g|gif|svg|webp|avif|js|mjs|cjs|ts|tsx|jsx|css|json|html?|txt|pdf)$/i;
/** In `https://user:password@example.com`, the part before the host is not an address. */
const addressBefore = /(?<=:\/\/[^\s/?#"'<>\\:]{0,200}:[^\s/?#"'<>\\]{0,64})/y;

export const email: Detector = {
  type: 'EMAIL',
  minLength: 6,
  find(text) {
    if (!text.includes('@')) return [];
    const findings: Finding[] = [];
    candidate.lastIndex = 0;
    for (let match = candidate.exec(text); match; match = candidate.exec(text)) {
      const [, before = '', host = ''] = match;
      const name = before.slice(notInFront(before));
      if (name === '' || name.endsWith('.') || !isHost(host)) continue;
      const start = match.index - name.length;
      if (endOf(addressBefore, text, start) !== -1) continue;
      findings.push({ start, end: match.index + 1 + host.length });
    }
    return findings;
  },
};

/** The start of the local part: a leading dot or quote belongs to the surrounding text. */
function notInFront(before: string): number {
  let at = 0;
  while (before[at] === '.' || before[at] === "'") at += 1;
  return at;
}

const isHost = (host: string): boolean =>
  topLevel.test(host) && !fileEnding.test(host) && !badLabel.test(host);
