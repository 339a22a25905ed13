import type { SearchedTexts } from './word-rules.ts';
import { SEARCHED_CHARACTERS } from './word-rules.ts';
import { WordCollector } from './word-collector.ts';
import { type CallFields, FIELD_NAMES } from './call-fields.ts';
import { addSegment, type Query } from './segments.ts';
import { MAX_WORD_NUMBERS } from './word-numbers.ts';

/** A call as read for indexing. */
export type IndexedCall = CallFields & SearchedTexts & { tenant_id: string };

const start = (column: string): string =>
  `substr(${column}, 1, ${SEARCHED_CHARACTERS}) as ${column}`;

export const INDEXED_COLUMNS = [
  'tenant_id',
  ...FIELD_NAMES,
  'task',
  start('prompt_preview'),
  start('response_preview'),
].join(', ');

/** The most words of one call, whose texts could consist of words of one character. */
const MAX_WORDS_OF_CALL = 4 * SEARCHED_CHARACTERS;
/**
 * Bounds the memory that a segment takes. Beyond this, one more call of the largest size still fits
 * into MAX_WORD_NUMBERS.
 */
const MAX_WORDS = MAX_WORD_NUMBERS - MAX_WORDS_OF_CALL;

/** Creates a builder for a segment of one tenant. */
export function newSegment() {
  const collector = new WordCollector();
  const calls: CallFields[] = [];
  const isFull = (): boolean => collector.length >= MAX_WORDS;
  const add = (call: IndexedCall): void => {
    collector.add(call);
    const { id, created_at, total_tokens, cost, model, agent_name } = call;
    calls.push({ id, created_at, total_tokens, cost, model, agent_name });
  };
  return {
    calls,
    isFull,
    add,
    /** Adds calls until the segment is full; returns the rest. */
    addUntilFull(added: readonly IndexedCall[]): readonly IndexedCall[] {
      for (const [at, call] of added.entries()) {
        if (isFull()) return added.slice(at);
        add(call);
      }
      return [];
    },
    store: (query: Query, tenantId: string): Promise<void> =>
      addSegment(query, tenantId, calls, collector.blocks()),
  };
}
