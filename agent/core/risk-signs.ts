import { isLiteralSecret, looksSecret, namesSecret } from './secret-looking.ts';
import { passwordOfUser, readSetting, type Setting } from './setting-word.ts';

/** Indicators of risk in words and URLs, shared by several kinds of rules. */

export const approvalBypassOption =
  /^--?(dangerously-[\w-]+|yolo|allow-all(-tools|-paths)?|auto-approve(-all)?|no-confirm|yes-always|trust-all-tools|approval-mode=yolo|full-auto)$/;
export const allHostsPattern =
  /^(<all_urls>|\*|(\*|https?|wss?):\/\/\*(:\*)?(\/\*?)?|0\.0\.0\.0\/0|::\/0)$/;

/** Zero-width characters, direction overrides and tags, which hide text from a reader. */
// oxlint-disable-next-line no-misleading-character-class
const invisible =
  /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]/u;

/** An emoji sequence uses U+200D as a joiner, which is not hidden text. */
export const hasHiddenText = (text: string): boolean =>
  invisible.test(
    text.replaceAll(
      /(?<=\p{Extended_Pictographic}\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu,
      '',
    ),
  );

const isLoopback = (host: string) =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  /^127\.\d+\.\d+\.\d+$/.test(host) ||
  host === '[::1]';

/** Whether a URL sends its data unencrypted over a network. */
export function isCleartext(address: string): boolean {
  const url = URL.parse(address);
  return (url?.protocol === 'http:' || url?.protocol === 'ws:') && !isLoopback(url.hostname);
}

/** Whether a URL contains a credential: in its user part or a parameter. */
export function urlContainsSecret(address: string): boolean {
  const url = URL.parse(address);
  if (!url) return looksSecret(address);
  const decoded = (part: string) =>
    part.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return (
    isLiteralSecret('password', decoded(url.password)) ||
    [...url.searchParams].some(([name, value]) => isLiteralSecret(name, value)) ||
    url.pathname.split('/').some((part) => looksSecret(part)) ||
    looksSecret(decoded(url.username))
  );
}

/**
 * Whether a word contains a secret: `--token x`, `--token=x`, `NAME=x`, `--env=NAME=x`, `Header: x`,
 * `-u name:x`, an address, or a word that is itself a key.
 */
export function wordContainsSecret(word: string, previous: string | undefined): boolean {
  if (/^[\w+.-]+:\/\//.test(word)) return urlContainsSecret(word);
  const password = passwordOfUser(word, previous);
  if (password !== undefined && isLiteralSecret('password', password)) return true;
  const setting = readSetting(word) ?? settingAtColon(word);
  if (setting)
    return (
      isLiteralSecret(setting.name, setting.value) || wordContainsSecret(setting.value, undefined)
    );
  if (previous?.startsWith('-') && namesSecret(previous) && !word.startsWith('-'))
    return isLiteralSecret(previous, word);

  return !/^[@./~]/.test(word) && looksSecret(word);
}

/** `Name:value` and `--name:value`. */
function settingAtColon(word: string): Pick<Setting, 'name' | 'value'> | undefined {
  const [, name, value] = /^-{0,2}([\w.-]+):(.+)$/s.exec(word) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value };
}

const uploadCommand =
  /\bcurl\b.*\s(-d|--data(-\w+)?|--json|-F|--form|-T|--upload-file|-X\s*(POST|PUT))(\s|=|$)|\bwget\b.*\s--(post|body)-(data|file)\b|\b(nc|ncat|netcat)\s+(-\w+\s+)*[\w.-]+\.[\w-]+\s+\d+|\b(scp|rsync)\s.*\s[\w.@-]+:|\bInvoke-(WebRequest|RestMethod)\b.*-Method\s+P(ost|ut)/i;

/** Services that show received data to anyone who set up the address. */
const dataCollector =
  /\b(webhook\.site|requestbin\.\w+|[\w-]+\.pipedream\.net|[\w-]+\.ngrok(-free)?\.(io|app|dev)|[\w-]+\.oast\.\w+|interact\.sh|burpcollaborator\.net|transfer\.sh|discord(app)?\.com\/api\/webhooks|api\.telegram\.org\/bot)/i;

/** Whether a command sends data to another machine. Loopback does not count. */
export function sendsData(line: string): boolean {
  if (dataCollector.test(line)) return true;
  if (!uploadCommand.test(line)) return false;
  const addresses = line.match(/\bhttps?:\/\/[^\s"'`)]+/g) ?? [];
  return addresses.length === 0 || addresses.some((address) => !isLocal(address));
}

const isLocal = (address: string) => isLoopback(URL.parse(address)?.hostname ?? '');
