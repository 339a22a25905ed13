import { type Detector, endOf, type Finding } from '../detector.ts';

// The local part up to its maximum length, then a host of at least two labels up to the maximum of
// DNS. The pattern starts at the `@`, so only positions with one are tried.
const candidate =
  /@(?<=([\w.%+'\u00C0-\u024F-]{1,64})@)(?=[A-Za-z0-9][A-Za-z0-9-]{0,62}\.[A-Za-z0-9])(?=([A-Za-z0-9.-]{3,252}[A-Za-z0-9]))/g;
/**
 * Internationalized addresses (RFC 6531). The host must have a letter outside ASCII: in scripts
 * without blanks, the words before any other address would belong to it.
 */
const international =
  /@(?=[A-Za-z\d.-]{0,250}[^\0-\x7F])(?<=([\w.%+'\p{L}\p{M}-]{1,64})@)((?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.){1,8})(?<top>[A-Za-z]{2,24}(?![A-Za-z\d-])|[^\0-\x7F]{2,12})/gu;
const nonAscii = /[^\0-\x7F]/;
/** The internationalized top-level domains of countries and the most frequent others, of IANA. */
const internationalTops =
  /^(?:рф|рус|укр|бел|срб|мкд|бг|қаз|мон|ею|ευ|ελ|հայ|გე|онлайн|сайт|дети|орг|中国|中國|香港|台湾|台灣|新加坡|澳門|公司|网络|网址|在线|商城|한국|みんな|コム|ไทย|भारत|বাংলা|இந்தியா|السعودية|امارات|مصر|قطر|الاردن|المغرب|تونس|ایران|ישראל)/u;
/** A label that is empty or too long, or starts or ends with a dash. */
const badLabel = /^-|\.[.-]|-\.|(?:^|\.)[^.]{64}/;
const topLevel = /\.[A-Za-z]{2,24}$/;
/** Image sizes (`logo@2x.png`) and package versions (`left-pad@1.3.js`) look like addresses. */
const fileEnding =
  /\.(?:png|jpe?g|gif|svg|webp|avif|js|mjs|cjs|ts|tsx|jsx|css|json|toml|ya?ml|html?|txt|pdf)$/i;
/** The user and host of a command: `ssh -p 22 ann@host.example.com`. */
const commandBefore =
  /(?<=\b(?:ssh|sftp|mosh|ssh-copy-id|autossh) (?:-\w(?: ?[\w./~:=-]{1,60})? ){0,4})/y;
/** The part of a file on another machine after its host: `ann@host.example.com:/srv`, `:~/file`. */
const fileAfter = /:[/~]/y;
/** The realm of a principal in Kerberos (RFC 4120, 6.2): `HTTP/web.example.com@EXAMPLE.COM`. */
const realm = /^[A-Z\d.-]+$/;

/** Whether the name and host are no mailbox, by what is next to them. */
const isOtherUser = (text: string, start: number, end: number, name: string): boolean =>
  (text[start - 1] === '$' && /^\w+$/.test(name)) ||
  (text[start - 1] === '@' && text[end] === '(') ||
  (text[start - 1] === '/' && realm.test(text.slice(start + name.length + 1, end))) ||
  endOf(fileAfter, text, end) !== -1 ||
  endOf(commandBefore, text, start) !== -1 ||
  endOf(messageIdBefore, text, start) !== -1 ||
  noMailbox.test(text.slice(start, end)) ||
  (text[start - 1] === '\\' && /^[dsw][*+]/.test(name)) ||
  isMessageId(name);

/**
 * An algorithm or extension of SSH with the domain of its author (RFC 4251, 6): `aes128-gcm@openssh.com`.
 * An annotation of OData (OData JSON 4.01, 4.6): `members@odata.bind`. A member of an outer class in
 * Kotlin: `this@MainActivity.adapter`.
 */
const noMailbox =
  /@(?:(?:lib)?ssh|openssh|libssh2?)\.(?:com|org)$|@odata\.[A-Za-z]+$|^(?:this|super)@[A-Z]/;
const messageIdBefore = /(?<=(?:message-id|in-reply-to|references):\s?<?)/iy;
const MIN_MESSAGE_ID = 40;
/** A generated part before the host, as in the id of a message (RFC 5322, 3.6.4). */
const isMessageId = (name: string): boolean =>
  name.length >= MIN_MESSAGE_ID && /\d/.test(name) && /[a-z]/.test(name) && /[A-Z]/.test(name);

/** In `https://user:password@example.com`, the part before the host is not an address. */
const addressBefore = /(?<=:\/\/[^\s/?#"'<>\\:]{0,200}:[^\s/?#"'<>\\]{0,64})/y;

export const email: Detector = {
  type: 'EMAIL',
  minLength: 6,
  find(text) {
    if (!text.includes('@')) return [];
    const findings: Finding[] = [];
    candidate.lastIndex = 0;
    for (let match = candidate.exec(text); match; match = candidate.exec(text)) {
      const [, before = '', host = ''] = match;
      const name = before.slice(notInFront(before));
      if (name === '' || name.endsWith('.') || !isHost(host)) continue;
      const start = match.index - name.length;
      const end = match.index + 1 + host.length;
      // The address of a repository over SSH, and the user in any URL: `git@github.com:org/name.git`,
      // `ssh://git@github.com/org/name.git`.
      if ((name === 'git' && text[end] === ':') || text.startsWith('://', start - 3)) continue;
      if (endOf(addressBefore, text, start) !== -1 || isOtherUser(text, start, end, name)) continue;
      findings.push({ start, end });
    }
    return [...findings, ...internationalIn(text)].sort((a, b) => a.start - b.start);
  },
};

function internationalIn(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(international)) {
    const [, before = '', labels = ''] = match;
    const top = match.groups?.['top'] ?? '';
    const isAscii = !nonAscii.test(top);
    if (isAscii && !nonAscii.test(labels)) continue;
    const known = isAscii ? top : internationalTops.exec(top)?.[0];
    const name = before.slice(notInFront(before));
    if (known === undefined || name === '' || name.endsWith('.')) continue;
    const start = match.index - name.length;
    findings.push({ start, end: match.index + 1 + labels.length + known.length });
  }
  return findings;
}

/** The start of the local part: a leading dot or quote belongs to the surrounding text. */
function notInFront(before: string): number {
  let at = 0;
  while (before[at] === '.' || before[at] === "'") at += 1;
  return at;
}

const isHost = (host: string): boolean =>
  topLevel.test(host) && !fileEnding.test(host) && !badLabel.test(host);
