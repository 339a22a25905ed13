import { z } from 'zod';
import {
  quarantineFile,
  readIfExists,
  removeIfExists,
  writeFileAtomic,
} from '../../state/atomic-file.ts';
import { NO_TOKENS, sumOfTokens, type TokenCounts } from './cursor-event.ts';
import { type CursorSpan, tokensOf } from './cursor-spans.ts';

/** The maximum number of turns; beyond it, the longest unused is forgotten. */
const MAX_TURNS = 200;

const counts = z.object({
  input: z.int(),
  output: z.int(),
  cacheRead: z.int(),
  cacheWrite: z.int(),
});
const content = z.array(z.tuple([z.string(), counts]));

/** The tokens of open turns that the control plane has, by trace. */
export interface RecordedTokens {
  of: (trace: string) => TokenCounts | undefined;
  /** Adds the calls that the control plane accepted. The span of a turn ends it. */
  add: (spans: readonly CursorSpan[]) => void;
}

/**
 * Opens the file in which these tokens survive a restart. Cursor reports the tokens of a turn as a
 * running total, so without it an agent that restarts would count those before it again. What was
 * not accepted is not in it, and is counted with the next call.
 */
export function openRecordedTokens(file: string): RecordedTokens {
  const turns = new Map(load(file));
  const store = (): void => {
    try {
      if (turns.size === 0) removeIfExists(file);
      else writeFileAtomic(file, JSON.stringify([...turns]));
    } catch {
      // With a full disk, only a restart during a turn has a consequence.
    }
  };
  const add = ({ trace, parent, ...span }: CursorSpan): boolean => {
    if (parent === null) return turns.delete(trace);
    const tokens = tokensOf(span);
    if (!tokens) return false;
    const sum = sumOfTokens(turns.get(trace) ?? NO_TOKENS, tokens);
    turns.delete(trace);
    turns.set(trace, sum);
    const [oldest] = turns.size > MAX_TURNS ? turns.keys() : [];
    if (oldest !== undefined) turns.delete(oldest);
    return true;
  };
  return {
    of: (trace) => turns.get(trace),
    add: (spans) => {
      if (spans.map(add).some((isChanged) => isChanged)) store();
    },
  };
}

function load(file: string): [string, TokenCounts][] {
  const text = readIfExists(file);
  if (text === null) return [];
  try {
    return content.parse(JSON.parse(text));
  } catch {
    quarantineFile(file);
    return [];
  }
}
