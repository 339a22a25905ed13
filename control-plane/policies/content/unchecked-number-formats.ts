import { regexDetector } from '#domain/redaction/detector.ts';

/**
 * Detectors that match any number in a notation, without its checksum, network or range. Content
 * policies use them in addition to the detectors of redaction (`credit-card.ts`), because a policy
 * prefers false positives to missed numbers. Redaction never uses them: it would mask ids.
 */
export const ssnFormat = regexDetector({
  type: 'US_SSN',
  minLength: 11,
  prefilter: /\d{3}-\d\d-\d{4}/,
  pattern: /(?<![\w-])\d{3}-\d\d-\d{4}(?![\w-])/g,
});

export const cardFormat = regexDetector({
  type: 'CREDIT_CARD',
  minLength: 16,
  prefilter: /\d{4}[ -]\d{4}[ -]\d{4}|\d{16}/,
  pattern: /(?<![\w.-])(?:\d{4} \d{4} \d{4} \d{4}|\d{4}-\d{4}-\d{4}-\d{4}|[3-6]\d{15})(?![\w-])/g,
});

export const usPhoneFormat = regexDetector({
  type: 'PHONE',
  minLength: 12,
  prefilter: /\d{3}\)?[ .-]{0,2}\d{3}[ .-]\d{4}/,
  pattern:
    /(?<![\w.-])(?:\+?1[ .-])?(?:\(\d{3}\) ?\d{3}[ .-]|\d{3}-\d{3}-|\d{3}\.\d{3}\.)\d{4}(?![\w-])/g,
});
