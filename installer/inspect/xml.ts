import { DOMParser, type Element, onWarningStopParsing } from '@xmldom/xmldom';
import { InstallerError } from '../installer-error.ts';

/** An XML element reduced to what callers need, without namespaces, comments and instructions. */
export interface XmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  /** The text directly inside the element, trimmed. */
  text: string;
}

/**
 * A limit in bytes. Real documents have a few tens of thousands, and parsing takes many times the
 * size.
 */
export const XML_LIMIT = 4 * 1024 * 1024;
/**
 * A limit for the number of opening and closing tags, each of which costs the parser a kilobyte.
 */
const TAG_LIMIT = 100_000;
const DEPTH_LIMIT = 64;

/** @throws InstallerError unless the bytes are well-formed UTF-8 XML without a document type */
export function parseXml(bytes: Uint8Array): XmlElement {
  const text = decode(bytes);
  // Only a document type can declare entities, and no package needs one.
  if (/<!(DOCTYPE|ENTITY)/i.test(text))
    throw new InstallerError('XML with a document type declaration');
  if (countTags(text) > TAG_LIMIT) throw new InstallerError(`XML of more than ${TAG_LIMIT} tags`);
  const root = parse(text);
  if (!root) throw new InstallerError('XML without an element');
  return simplify(root, 0);
}

/** The first element at the end of a path of names, or undefined. */
export function find(element: XmlElement, ...path: string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>(
    (at, name) => at?.children.find((child) => child.name === name),
    element,
  );
}

/** All elements of a name, at any depth, in document order. */
export function findAll(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) =>
    child.name === name ? [child, ...findAll(child, name)] : findAll(child, name),
  );
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InstallerError('XML that is not UTF-8');
  }
}

function parse(text: string): Element | null {
  try {
    const parser = new DOMParser({ onError: onWarningStopParsing });
    return parser.parseFromString(text, 'text/xml').documentElement;
  } catch (error) {
    // The parser's message lists every unclosed element.
    const [message = ''] = (error as Error).message.split('\n');
    throw new InstallerError(`not well-formed XML: ${message.slice(0, 160)}`, { cause: error });
  }
}

function countTags(text: string): number {
  let count = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) count += 1;
  return count;
}

function simplify(element: Element, depth: number): XmlElement {
  if (depth > DEPTH_LIMIT) throw new InstallerError(`XML nested deeper than ${DEPTH_LIMIT}`);
  const children: XmlElement[] = [];
  let text = '';
  for (let node = element.firstChild; node; node = node.nextSibling)
    if (node.nodeType === node.ELEMENT_NODE) children.push(simplify(node as Element, depth + 1));
    else if (node.nodeType === node.TEXT_NODE || node.nodeType === node.CDATA_SECTION_NODE)
      text += node.nodeValue ?? '';

  const attributes = new Map(
    Array.from(element.attributes, ({ name, value }) => [name, value] as const),
  );
  return { name: element.localName ?? element.nodeName, attributes, children, text: text.trim() };
}
