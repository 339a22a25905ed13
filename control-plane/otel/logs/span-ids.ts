import { hash } from 'node:crypto';

/** The id of what all reports of a thing within a trace share, such as that of a request. */
export const keyedSpanId = (trace_id: string, key: string): string =>
  idOf(['span', trace_id, key], 16);

/** A stable id in hexadecimal: the same parts have the same id in every process. */
export const idOf = (parts: readonly unknown[], digits: 16 | 32): string =>
  hash('sha256', JSON.stringify(parts)).slice(0, digits);
