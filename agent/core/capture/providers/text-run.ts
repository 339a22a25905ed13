/** Texts that stand at one place of events that follow each other. */
export interface TextRun {
  add(text: string): void;
  /** What they say together. */
  text(): string;
}

/** Members that say the same again, or something else instead, but never go on. */
const FACT =
  /^(?:id|uuid|type|role|status|state|model|object|event|kind|time|timestamp|date)$|(?:_id|Id|ID|_at|At|_type|Type|_status|Status|_time|Time|_model|Model)$/;

/**
 * Nearly all streams send pieces, which are put together. Some send at each event all that there
 * is so far, of which the last holds everything; and what never changes is said once.
 *
 * @param name of the member that they are of
 */
export function textRun(name: string): TextRun {
  let joined = '';
  let last: string | undefined;
  let isSame = true;
  let isGrowing = true;
  return {
    add(text) {
      if (text === '') return;
      joined += text;
      // Each comparison is of no more than the text that came, so all of them are linear.
      isGrowing &&= last === undefined || text.startsWith(last);
      isSame &&= last === undefined || text === last;
      last = text;
    },
    text: () => (isSame || isGrowing || FACT.test(name) ? (last ?? '') : joined),
  };
}
