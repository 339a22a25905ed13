import type { Headers } from './exchange.ts';

export function valuesOf(headers: Headers, name: string): string[] {
  const values: string[] = [];
  for (const header of headers) if (header[0] === name) values.push(header[1]);
  return values;
}

/** The elements of a list header (RFC 9110, 5.6.1), in lower case. */
export function listOf(headers: Headers, name: string): string[] {
  const values = valuesOf(headers, name);
  if (values.length === 0) return values;
  return values
    .flatMap((value) => value.toLowerCase().split(','))
    .map((element) => element.trim())
    .filter((element) => element !== '');
}

/**
 * The hosts that a request names in its target and its `Host` headers, without ports. Several differ
 * only in an invalid request, of which servers accept one or the other (RFC 9112, 3.2.2).
 */
export function hostsOfRequest(authority: string | null, headers: Headers): string[] {
  const authorities = [...(authority === null ? [] : [authority]), ...valuesOf(headers, 'host')];
  const hosts = authorities.map((name) => name.toLowerCase().replace(/:\d*$/, ''));
  // An empty `Host` names none (RFC 9112, 3.2).
  return [...new Set(hosts)].filter((host) => host !== '');
}

/** The approximate size of two strings and the array that holds them, in V8. */
const OVERHEAD = 128;

/** The approximate memory of headers. */
export function costOf(headers: Headers): number {
  let cost = 0;
  for (const [name, value] of headers) cost += name.length + value.length + OVERHEAD;
  return cost;
}
