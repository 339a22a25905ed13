import { ipText } from './ip-address.ts';

/** A DNS answer: the requested name, its aliases, and its addresses. */
export interface DnsResponse {
  /** The name in the question, then its aliases (CNAME), in lower case. */
  names: string[];
  addresses: { address: string; ttl: number }[];
}

const TYPE_A = 1;
const TYPE_CNAME = 5;
const TYPE_AAAA = 28;
const INTERNET = 1;
const MAX_RECORDS = 128;

/**
 * The A, AAAA and CNAME records of a DNS response message (RFC 1035, without the UDP header); ttl
 * in seconds. Undefined for a query, a failure or an invalid message. A truncated message yields
 * its complete records.
 */
export function readDnsResponse(message: Uint8Array): DnsResponse | undefined {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  if (message.length < 12) return undefined;
  const flags = view.getUint16(2);
  const isSuccess = (flags & 0x8000) !== 0 && (flags & 0x000f) === 0;
  if (!isSuccess || view.getUint16(4) !== 1) return undefined;
  const question = readName(message, 12);
  if (!question || question.next + 4 > message.length) return undefined;
  const result: DnsResponse = { names: [question.name], addresses: [] };
  const records = Math.min(view.getUint16(6), MAX_RECORDS);
  readRecords(view, message, question.next + 4, records, result);
  return result;
}

function readRecords(
  view: DataView,
  message: Uint8Array,
  start: number,
  count: number,
  answer: DnsResponse,
): void {
  for (let at = start, left = count; left > 0; left--) {
    const owner = readName(message, at);
    if (!owner || owner.next + 10 > message.length) return;
    const type = view.getUint16(owner.next);
    const isInternet = view.getUint16(owner.next + 2) === INTERNET;
    const ttl = view.getUint32(owner.next + 4);
    const length = view.getUint16(owner.next + 8);
    const data = owner.next + 10;
    if (data + length > message.length) return;
    if (isInternet && answer.names.includes(owner.name))
      readRecord(message, { type, ttl, data, length }, answer);

    at = data + length;
  }
}

/** Accepts addresses only for the requested name or one of its aliases. */
function readRecord(
  message: Uint8Array,
  record: { type: number; ttl: number; data: number; length: number },
  answer: DnsResponse,
): void {
  const { type, ttl, data, length } = record;
  if (type === TYPE_A && length === 4)
    answer.addresses.push({ address: ipText(message, data, 4), ttl });
  else if (type === TYPE_AAAA && length === 16)
    answer.addresses.push({ address: ipText(message, data, 16), ttl });
  else if (type === TYPE_CNAME) {
    const alias = readName(message, data);
    if (alias && !answer.names.includes(alias.name)) answer.names.push(alias.name);
  }
}

/** A name, following compression pointers. They may only point backwards, so parsing ends. */
function readName(message: Uint8Array, start: number): { name: string; next: number } | undefined {
  const labels: string[] = [];
  let next: number | undefined;
  for (let at = start, limit = start; ;) {
    const length = message[at];
    if (length === undefined) return undefined;
    if (length === 0) return { name: labels.join('.'), next: next ?? at + 1 };
    if (length >= 0xc0) {
      const target = ((length & 0x3f) << 8) | (message[at + 1] ?? 0);
      if (at + 1 >= message.length || target >= limit) return undefined;
      next ??= at + 2;
      at = limit = target;
      continue;
    }
    if (length > 63 || at + 1 + length > message.length || labels.length > 127) return undefined;
    labels.push(String.fromCharCode(...message.subarray(at + 1, at + 1 + length)).toLowerCase());
    at += 1 + length;
  }
}
