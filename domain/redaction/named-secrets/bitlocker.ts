import type { Finding } from '../detector.ts';

/**
 * A recovery password of BitLocker: eight numbers of six digits, each of which is a multiple of 11 below
 * 720,896 (learn.microsoft.com/windows/security/operating-system-security/data-protection/bitlocker).
 */
const groups = /(?<![\d-])\d{6}(?:-\d{6}){7}(?![\d-])/g;
const DIVISOR = 11;
const END = 720_896;

const isRecoveryPassword = (text: string): boolean =>
  text.split('-').every((group) => Number(group) % DIVISOR === 0 && Number(group) < END);

/** The recovery passwords near these ranges of digits. */
export const findRecoveryPasswords = (text: string, numbers: readonly Finding[]): Finding[] =>
  numbers.flatMap(({ start, end }) =>
    Array.from(text.slice(start, end).matchAll(groups))
      .filter(([found]) => isRecoveryPassword(found))
      .map(({ 0: found, index }) => ({
        start: start + index,
        end: start + index + found.length,
      })),
  );
