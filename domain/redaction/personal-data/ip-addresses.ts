import { type Detector, endOf, type Finding, regexDetector } from '../detector.ts';
import { wordsOfName } from '../named-secrets/secret-names.ts';

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;

/** Whether the address exists on every machine (RFC 1122, 3.2.1.3), is a mask, or is a version such as `1.00.00.00`. */
const isUnspecific = (address: string): boolean => /^(?:127|0|255)\.|\.00(?!\d)/.test(address);

/**
 * Numbers of one digit each are parts of documents and versions, unless a port, a mask or a word for
 * a machine is next to them: `section 3.2.9.8`, `1.4.0.2 release notes`.
 */
const oneDigitEach = /^(?:\d\.){3}\d$/;
const portOrMask = /[:/]\d/y;
const machineBefore =
  /(?<=(?:\b(?:ip|ipv4|host|server|dns|nameserver|gateway|proxy|resolver|peer|ping|ssh)\b|addr|:\/\/|@)[^\n]{0,24})/iy;

/** Coordinates before the number, or two flags after it: both are parts of a path in SVG. */
const coordinatesBefore =
  /(?<=(?:\.\d{1,3}|[\d.][a-z]?[ ,-]{1,2}\d{0,3}|[\d.][a-z]\d{0,3})\.\d{1,3}[ ,-])/y;
const flagsAfter = /[ ,][01][ ,][01](?![\d.])/y;
/** After the number of a definition in LDAP (RFC 4512, 4.1). */
const definitionAfter = / (?:NAME|DESC|SUP|SYNTAX) /y;
/** The number of an assembly in .NET, whose parts after the first one are zero: `"17.0.0.0"`. */
const assembly = /(?<=")[1-9]\d?\.0\.0\.0(?=")/y;
/** The second of two versions or of two parts of a document: `Bump a from 1.2.3.4 to 1.2.3.5`. */
const secondBefore =
  /(?<=\b(?:bump(?:ed|s)?|sections|clauses|chapters) [^\n]{0,80}\d,? (?:to|and|or|through) )/iy;

/** Whether the four numbers are no address, by what is next to them. */
const isOtherNumber = (text: string, found: Finding): boolean =>
  isNumbering(text, found) ||
  endOf(coordinatesBefore, text, found.start) !== -1 ||
  endOf(flagsAfter, text, found.end) !== -1 ||
  endOf(definitionAfter, text, found.end) !== -1 ||
  endOf(secondBefore, text, found.start) !== -1 ||
  (endOf(assembly, text, found.start) !== -1 && endOf(machineBefore, text, found.start) === -1);

const isNumbering = (text: string, { start, end }: Finding): boolean =>
  end - start === SHORTEST &&
  oneDigitEach.test(text.slice(start, end)) &&
  endOf(portOrMask, text, end) === -1 &&
  endOf(machineBefore, text, start) === -1;
const SHORTEST = 7;

const PART = String.raw`(?:version|release|section|chapter|clause|oid|appendix|rev)s?`;
/** Before the first of two versions: `Bump types-requests from 2.28.11.2 to …`. */
const CHANGE = String.raw`\bbump(?:ed|s)? [^\s]{1,60} from `;
/** Before a version in a property of Maven, or after its artifact; before a section of an RFC. */
const ARTIFACT = String.raw`<[\w.-]{0,40}version[\w.-]{0,40}>|[a-z]\.[\w-]{1,30}:|\bRFC \d{3,5},? `;
/** Before a version in the path of a repository or download: `/blob/2.3.21.1/`. */
const FOLDER = String.raw`/(?:blob|tree|tags?|raw|download|releases?)/`;
/** Before a version in a User-Agent header (RFC 9110, 10.1.5): `Chrome/125.0.0.0`. */
const PRODUCT = String.raw`\b(?:(?:headless)?chrom(?:e|ium)|crios|edg(?:e|a|ios)?|electron|firefox|opera|opr|safari|samsungbrowser|version|vivaldi|yabrowser)[/ ]`;

const v4 = regexDetector({
  type: 'IP_ADDRESS',
  prefilter: /\d\.\d{1,3}\.\d{1,3}\.\d/,
  // Excludes parts of longer sequences of numbers, and versions: `v1.2.3.4`, `version 1.2.3.4`,
  // `"version": "1.2.3.4"`, `<Version>1.2.3.4`, `AssemblyVersion("1.2.3.4")`, `Chrome/1.2.3.4`.
  pattern: new RegExp(
    String.raw`(?<![\w.-]|${ARTIFACT}|${FOLDER}|${PRODUCT}|${CHANGE}|${PART}\\?["']?[ :=(>,]{1,2}\\?["']?)(?:${octet}\.){3}${octet}(?![\w-])(?!\.\d)`,
    'gi',
  ),
  accept: (address) => !isUnspecific(address),
});

const v6 = regexDetector({
  type: 'IP_ADDRESS',
  // The longest form has eight groups of four digits, or six of them and an IPv4 address.
  pattern:
    /(?<![\w:.])(?=[\da-f:])[\da-f]{0,4}:[\da-f:]{1,38}(?:(?:\.\d{1,3}){3})?(?![\w:]|\.\d)/gi,
  prefilter: { test: hasGroups },
  accept: isV6,
});

const groups = /:[\da-f]{0,4}:[\da-f]/iy;

/** `indexOf` skips text without colons several times as fast as the expression does. */
function hasGroups(text: string): boolean {
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1))
    if (endOf(groups, text, at) !== -1) return true;
  return false;
}

/** The loopback address in full (RFC 4291, 2.5.3). */
const loopback = /^(?:0{1,4}:){7}0{0,3}1$/;

/**
 * Whether the address has eight groups, or fewer with one `::`. Short texts with `::` are rejected,
 * because they are usually something else.
 */
function isV6(address: string): boolean {
  const text = address.replace(/(?:\d{1,3}\.){3}\d{1,3}$/, '0:0');
  const halves = text.split('::');
  // An address is written in one case; names of members are not: `Face::fe80`.
  if (halves.length > 2 || (/[a-f]/.test(address) && /[A-F]/.test(address))) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return false;
  if (loopback.test(text)) return false;
  // Two digits each are bytes, as of the serial number of a certificate.
  if (halves.length === 1) return groups.length === 8 && groups.some((group) => group.length !== 2);
  const first = groups[0]?.length === 4 ? groups[0] : '';
  const isLong = groups.length >= 3 || /^(?:[\da-f]{0,3}\d[\da-f]{0,3}|f[cd]..)$/i.test(first);
  return isLong && groups.length <= 7;
}

const addressNames = new Set('ip ips ipv4 addr ipaddr ipaddress'.split(' '));
const wholeV4 = new RegExp(`^(?:${octet}\\.){3}${octet}$`);

/** Members whose value is an address in any case: `client_ip`, `remoteAddr`, `ipAddress`. */
const isAddressName = (member: string): boolean => {
  const [last = '', before = ''] = wordsOfName(member.slice(-MAX_NAME_LENGTH)).toReversed();
  return addressNames.has(last) || (last === 'address' && before === 'ip');
};
const MAX_NAME_LENGTH = 80;

export const ipAddress: Detector = {
  type: 'IP_ADDRESS',
  minLength: 6,
  find: (text) => [
    ...v4.find(text).filter((found) => !isOtherNumber(text, found)),
    ...v6.find(text),
  ],
  ofMember: (member) =>
    isAddressName(member) ? (value) => wholeV4.test(value) && !isUnspecific(value) : undefined,
};
