import { shaped } from './detector.ts';

/**
 * Detectors that check only the notation of a number, not its validity, for rules that prefer false
 * positives to missed numbers.
 */
export const writtenSsn = shaped({
  type: 'US_SSN',
  shortest: 11,
  sign: /\d{3}-\d\d-\d{4}/,
  pattern: /(?<![\w-])\d{3}-\d\d-\d{4}(?![\w-])/g,
});

export const writtenCard = shaped({
  type: 'CREDIT_CARD',
  shortest: 16,
  sign: /\d{4}[ -]\d{4}[ -]\d{4}|\d{16}/,
  pattern: /(?<![\w.-])(?:\d{4} \d{4} \d{4} \d{4}|\d{4}-\d{4}-\d{4}-\d{4}|[3-6]\d{15})(?![\w-])/g,
});

export const writtenUsPhone = shaped({
  type: 'PHONE',
  shortest: 12,
  sign: /\d{3}\)?[ .-]{0,2}\d{3}[ .-]\d{4}/,
  pattern:
    /(?<![\w.-])(?:\+?1[ .-])?(?:\(\d{3}\) ?\d{3}[ .-]|\d{3}-\d{3}-|\d{3}\.\d{3}\.)\d{4}(?![\w-])/g,
});
