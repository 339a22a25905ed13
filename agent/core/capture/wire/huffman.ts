import { latin1 } from './latin1.ts';

/**
 * The code length in bits of each byte, and last of the end-of-string symbol (RFC 7541, appendix
 * B). The code is canonical, so the lengths determine it.
 */
export const huffmanLengths: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5,
  6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6,
  7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23,
  23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22,
  22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22,
  23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27,
  27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25,
  24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];

export const END_OF_STRING = 256;

/**
 * The decoder is a table: from each inner node of the code tree, four input bits lead to the next
 * inner node. They complete at most one symbol, because the shortest code has five bits. An element
 * is the next node shifted left by nine bits, with the symbol or NO_SYMBOL in the low bits; or it is
 * REFUSED.
 */
const NO_SYMBOL = 511;
const INVALID = -1;

interface Node {
  /** The node or symbol after each bit. */
  next: [Node | number, Node | number];
  number: number;
  /** Padding may end here: at most seven bits, all ones, of the end-of-string code. */
  isValidEnd: boolean;
}

const nodes = buildTree();
const transitions = buildTransitions(nodes);
const mayEnd = nodes.map((node) => node.isValidEnd);

/** Decodes the string from `from` to `to` (RFC 7541, 5.2). */
export function decodeHuffman(bytes: Uint8Array, from: number, to: number): string {
  const text = new Uint8Array(((to - from) * 8) / 5);
  let length = 0;
  let node = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    const first = transitions[(node << 4) | (byte >> 4)] ?? INVALID;
    if (first === INVALID) throw new Error('an invalid Huffman code');
    if ((first & 511) !== NO_SYMBOL) text[length++] = first & 511;
    const second = transitions[((first >> 9) << 4) | (byte & 15)] ?? INVALID;
    if (second === INVALID) throw new Error('an invalid Huffman code');
    if ((second & 511) !== NO_SYMBOL) text[length++] = second & 511;
    node = second >> 9;
  }
  if (!mayEnd[node]) throw new Error('a truncated Huffman code');
  return latin1(text, 0, length);
}

/** Codes are assigned in order of length, then of symbol. */
function buildTree(): Node[] {
  const all: Node[] = [];
  const root = addNode(all);
  root.isValidEnd = true;
  const symbols = Array.from(huffmanLengths.keys());
  symbols.sort((a, b) => lengthOf(a) - lengthOf(b) || a - b);
  let code = 0;
  let length = 0;
  for (const symbol of symbols) {
    code <<= lengthOf(symbol) - length;
    length = lengthOf(symbol);
    addSymbol(all, root, { symbol, code, length });
    code++;
  }
  markPadding(root);
  return all;
}

function lengthOf(symbol: number): number {
  return huffmanLengths[symbol] ?? 0;
}

function addNode(all: Node[]): Node {
  const node: Node = {
    next: [END_OF_STRING, END_OF_STRING],
    number: all.length,
    isValidEnd: false,
  };
  all.push(node);
  return node;
}

function addSymbol(
  all: Node[],
  root: Node,
  { symbol, code, length }: { symbol: number; code: number; length: number },
): void {
  let node = root;
  for (let bit = length - 1; bit > 0; bit--) {
    const side = (code >> bit) & 1;
    const next = node.next[side];
    const child = typeof next === 'object' ? next : addNode(all);
    node.next[side as 0 | 1] = child;
    node = child;
  }
  node.next[(code & 1) as 0 | 1] = symbol;
}

function markPadding(root: Node): void {
  let node: Node | number = root;
  for (let bits = 0; bits <= 7 && typeof node === 'object'; bits++) {
    node.isValidEnd = true;
    node = node.next[1];
  }
}

function buildTransitions(all: readonly Node[]): Int32Array {
  const table = new Int32Array(all.length * 16);
  for (const node of all)
    for (let bits = 0; bits < 16; bits++) table[node.number * 16 + bits] = transition(node, bits);

  return table;
}

function transition(from: Node, bits: number): number {
  let node = from;
  let symbol = NO_SYMBOL;
  for (let bit = 3; bit >= 0; bit--) {
    const next = node.next[((bits >> bit) & 1) as 0 | 1];
    if (next === END_OF_STRING) return INVALID;
    if (typeof next === 'number') symbol = next;
    node = typeof next === 'object' ? next : (nodes[0] ?? from);
  }
  return (node.number << 9) | symbol;
}
