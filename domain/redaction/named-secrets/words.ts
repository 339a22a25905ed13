/**
 * The letters that follow each letter in words: of the pairs of letters in the words of identifiers
 * in public source code, those that make up 99 %. Two random letters are such a pair half of the
 * time, so longer random text has others.
 */
const following: Readonly<Record<string, string>> = {
  a: 'bcdfgijklmnpqrstuvwxyz',
  b: 'abcdehijlmoprstuy',
  c: 'acehiklmorstuy',
  d: 'abcdegijlmoprstuvy',
  e: 'abcdefghijklmnopqrstuvwxy',
  f: 'aefilorstuy',
  g: 'aeghilmnorsuy',
  h: 'abeilmnorstuy',
  i: 'abcdefgklmnoprstvxz',
  j: 'aeosu',
  k: 'adegilnosuw',
  l: 'abcdefiklmnopstuvy',
  m: 'abefilmnopsuy',
  n: 'abcdefghijklmnopqrstuvy',
  o: 'abcdefgijklmnoprstuvwxy',
  p: 'adehiloprstuy',
  q: 'lu',
  r: 'abcdefgiklmnoprstuvwy',
  s: 'abcdefghiklmnopqstuwy',
  t: 'acdefghilmnoprstuwy',
  u: 'abcdefgilmnoprst',
  v: 'aeio',
  w: 'aehilnors',
  x: 'aceipty',
  y: 'abcdeilmnopstw',
  z: 'aeioy',
};

/** Abbreviations such as `HTTP`, `ctx` and `jwt` have unusual pairs. */
const MAX_ABBREVIATION = 4;

const known =
  /^(?:[cx]srf|jwts?|jw[ks]s?|grpc|rpcs?|pkcs|pkce|hpke|html|http[sx]?|ssh|tls|ctx|cfg|pwd|sql|xml)$/i;

function unusualPairs(word: string): number {
  const letters = word.toLowerCase();
  let unusual = 0;
  for (let at = 1; at < letters.length; at += 1)
    if (!following[letters.charAt(at - 1)]?.includes(letters.charAt(at))) unusual += 1;
  return unusual;
}

const isAbbreviation = (word: string): boolean =>
  word.length <= MAX_ABBREVIATION && (/^[A-Z]+s?$/.test(word) || word.length <= 3);

/**
 * Whether the parts of a name are words. In random letters, upper and lower case alternate more
 * often, and there are more unusual pairs.
 */
export function areWords(parts: readonly string[]): boolean {
  let letters = 0;
  let unusual = 0;
  let abbreviations = 0;
  for (const part of parts) {
    const pairs = known.test(part) ? 0 : unusualPairs(part);
    const isShort = pairs > 0 && isAbbreviation(part);
    letters += part.length;
    unusual += isShort ? 0 : pairs;
    abbreviations += isShort ? 1 : 0;
  }
  return (
    3.5 * parts.length <= letters + 3 &&
    unusual <= letters / 12 &&
    abbreviations <= 1 + parts.length / 4
  );
}
