import type { ReactNode } from 'react';
import type { Role } from './parse/model.ts';

/** One recorded value, such as a prompt, a response, inputs or a body. */
export interface Source {
  /** Heading, and accessible name of the region. */
  title: string;
  /** JSON, or text, which may be JSON or a stream of events. */
  value: unknown;
  /** The role of text and of messages without a role; null if there is none. */
  role: Role | null;
  /** Additional facts, shown beside the title. */
  note?: ReactNode;
  /** Whether only the beginning was recorded. */
  isCut?: boolean;
}
