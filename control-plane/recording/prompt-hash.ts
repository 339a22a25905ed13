import { hash } from 'node:crypto';

/** SHA-256 of a text, as a prompt version of the same text has it. */
export const promptHash = (text: string): string => hash('sha256', text);
