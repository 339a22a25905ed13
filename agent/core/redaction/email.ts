import { type Detector, endOf, type Finding, positionsOf } from './detector.ts';

const LONGEST_LOCAL = 64;
const local = /[\w.%+'\u00C0-\u024F-]/;
const localPart = /^[^.'].*[^.]$|^[^.']$/;
// A host of at least two labels. The run is bounded by the longest name that DNS has.
const hostRun = /[A-Za-z0-9.-]{4,253}/y;
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
/** Image sizes (`logo@2x.png`) and package versions (`left-pad@1.3.js`) look like addresses. */
const fileEnding =
  /^(?:png|jpe?g|gif|svg|webp|avif|js|mjs|cjs|ts|tsx|jsx|css|json|html?|txt|pdf)$/i;

export const email: Detector = {
  type: 'EMAIL',
  find(text) {
    const findings: Finding[] = [];
    for (const at of positionsOf('@', text)) {
      const start = startOfLocal(text, at);
      if (start === at) continue;
      const end = endOfHost(text, at + 1);
      if (end === -1 || !localPart.test(text.slice(start, at))) continue;
      if (!isPassword(text, start)) findings.push({ start, end });
    }
    return findings;
  },
};

/** In `https://user:password@example.com` what stands before the host is no name. */
const isPassword = (text: string, start: number): boolean =>
  /:\/\/[^\s/?#"'<>\\:]{0,200}:[^\s/?#"'<>\\]{0,64}$/.test(
    text.slice(Math.max(0, start - 270), start),
  );

function startOfLocal(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < LONGEST_LOCAL && local.test(text.charAt(start - 1))) start -= 1;
  while (start < at && /[.']/.test(text.charAt(start))) start += 1;
  return start;
}

function endOfHost(text: string, from: number): number {
  const runEnd = endOf(hostRun, text, from);
  if (runEnd === -1) return -1;
  const host = text.slice(from, runEnd).replace(/[.-]{1,253}$/, '');
  const labels = host.split('.');
  const last = labels.at(-1) ?? '';
  const isHost =
    labels.length >= 2 &&
    labels.every((one) => label.test(one)) &&
    /^[A-Za-z]{2,24}$/.test(last) &&
    !fileEnding.test(last);
  return isHost ? from + host.length : -1;
}
