import type { ReactNode } from 'react';
import type { Role } from './parse/model.ts';

/** One recorded value: a prompt, a response, inputs, a body. */
export interface Source {
  /** Heading and name of its region. */
  title: string;
  /** JSON, or text, which may be JSON or a stream of events. */
  value: unknown;
  /** Of text, and of messages without a role; null if there is no speaker. */
  role: Role | null;
  /** Facts shown beside the title. */
  note?: ReactNode;
  /** Whether only the beginning was recorded. */
  isCut?: boolean;
}
