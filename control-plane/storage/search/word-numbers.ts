import type { ByteRange } from './bytes.ts';

/**
 * The maximum number of distinct words: a double represents a key of four bytes and a number below
 * this exactly.
 */
export const MAX_WORD_NUMBERS = 2 ** 21;
/** Maximum load of the hash table, in eighths. */
const MAX_LOAD_IN_EIGHTHS = 5;

/**
 * Assigns numbers from zero to distinct words, given as UTF-8. A `Map` would need a string for
 * every word of every text, which takes several times as long.
 */
export class WordNumbers {
  size = 0;
  /** All words, concatenated; `#ends` has the end of each. */
  #bytes = new Uint8Array(65_536);
  #ends = new Int32Array(8192);
  /** A hash table of pairs: the hash of a word, and its number plus one. Zero marks a free slot. */
  #slots = new Int32Array(32_768);

  /** Returns the number of the word in this range, and adds the word if it is new. */
  of(word: ByteRange, wordHash: number): number {
    const hash = wordHash ^ (wordHash >>> 15);
    const mask = this.#slots.length - 1;
    for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
      const number = (this.#slots[slot + 1] as number) - 1;
      if (number < 0) return this.#add(slot, hash, word);
      if (this.#slots[slot] === hash && this.#is(number, word)) return number;
    }
  }

  #is(number: number, { bytes, start, end }: ByteRange): boolean {
    const from = this.#startOf(number);
    if ((this.#ends[number] as number) - from !== end - start) return false;
    for (let i = start; i < end; i += 1)
      if (this.#bytes[from + i - start] !== bytes[i]) return false;
    return true;
  }

  #startOf = (number: number): number => (number === 0 ? 0 : (this.#ends[number - 1] as number));

  #add(slot: number, hash: number, { bytes, start, end }: ByteRange): number {
    const number = this.size;
    const from = this.#startOf(number);
    const to = from + end - start;
    if (to > this.#bytes.length) this.#bytes = grown(this.#bytes, new Uint8Array(to * 2));
    if (number === this.#ends.length) this.#ends = grown(this.#ends, new Int32Array(number * 2));
    for (let i = start; i < end; i += 1) this.#bytes[from + i - start] = bytes[i] as number;
    this.#ends[number] = to;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = number + 1;
    this.size += 1;
    if (this.size * 16 > this.#slots.length * MAX_LOAD_IN_EIGHTHS) this.#spread();
    return number;
  }

  #spread(): void {
    const previous = this.#slots;
    const slots = new Int32Array(previous.length * 2);
    const mask = slots.length - 1;
    for (let old = 0; old < previous.length; old += 2) {
      if (previous[old + 1] === 0) continue;
      let slot = ((previous[old] as number) << 1) & mask;
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      slots[slot] = previous[old] as number;
      slots[slot + 1] = previous[old + 1] as number;
    }
    this.#slots = slots;
  }

  wordOf(number: number): ByteRange {
    const end = this.#ends[number] as number;
    return { bytes: this.#bytes, start: this.#startOf(number), end };
  }

  /** Returns the numbers of all words in byte order. */
  inOrder(): Int32Array {
    const { size } = this;
    // The keys begin with the first four bytes of a word, which distinguish most words.
    const keys = new Float64Array(size);
    for (let number = 0; number < size; number += 1)
      keys[number] = this.#headOf(number) * MAX_WORD_NUMBERS + number;
    keys.sort();
    const order = new Int32Array(size);
    for (let i = 0; i < size; i += 1) order[i] = (keys[i] as number) % MAX_WORD_NUMBERS;
    for (let i = 0; i < size;) {
      const head = Math.floor((keys[i] as number) / MAX_WORD_NUMBERS);
      let next = i + 1;
      while (next < size && Math.floor((keys[next] as number) / MAX_WORD_NUMBERS) === head)
        next += 1;
      if (next - i > 1) order.subarray(i, next).sort((a, b) => this.#compare(a, b));
      i = next;
    }
    return order;
  }

  #headOf(number: number): number {
    const [from, end] = [this.#startOf(number), this.#ends[number] as number];
    let head = 0;
    for (let i = from; i < from + 4; i += 1)
      head = head * 256 + (i < end ? (this.#bytes[i] as number) : 0);
    return head;
  }

  #compare(a: number, b: number): number {
    let [i, j] = [this.#startOf(a), this.#startOf(b)];
    const [iEnd, jEnd] = [this.#ends[a] as number, this.#ends[b] as number];
    for (; i < iEnd && j < jEnd; i += 1, j += 1) {
      const difference = (this.#bytes[i] as number) - (this.#bytes[j] as number);
      if (difference !== 0) return difference;
    }
    return iEnd - i - (jEnd - j);
  }
}

function grown<A extends Uint8Array | Int32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
