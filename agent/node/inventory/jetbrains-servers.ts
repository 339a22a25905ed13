import { DOMParser, type Document, type Element } from '@xmldom/xmldom';

/** The components with the servers of an IDE and of a project. */
const components = new Set(['McpApplicationServerCommands', 'McpProjectServerCommands']);

interface Entry {
  options: Record<string, string>;
  env: Record<string, string>;
}

const elementsIn = (parent: Element, name: string): Element[] => [
  ...parent.getElementsByTagName(name),
];

const nameOf = (element: Element) =>
  element.getAttribute('name') ?? element.getAttribute('key') ?? '';

const valuesOf = (elements: readonly Element[]): Record<string, string> =>
  Object.fromEntries(
    elements
      .filter((element) => element.hasAttribute('value') && nameOf(element) !== '')
      .map((element) => [nameOf(element), element.getAttribute('value') ?? '']),
  );

const readEntry = (element: Element): Entry => ({
  options: valuesOf(elementsIn(element, 'option')),
  env: valuesOf([...elementsIn(element, 'env'), ...elementsIn(element, 'entry')]),
});

/** Converts an entry to a server. Its arguments are one text: the settings page quotes nothing. */
function asServer({ options, env }: Entry): Record<string, unknown> {
  return {
    name: options['name'],
    command: options['programPath'] ?? options['command'],
    args: (options['arguments'] ?? '').split(/\s+/).filter(Boolean),
    url: options['url'] ?? options['serverUrl'],
    disabled: options['enabled'] === 'false',
    env,
  };
}

function parse(text: string): Document | undefined {
  try {
    return new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') throw new Error(message);
      },
    }).parseFromString(text, 'text/xml');
  } catch {
    return undefined;
  }
}

/**
 * Parses the MCP servers in a JetBrains settings file, as `{servers: [...]}`; undefined if the text
 * is not XML. Each server is an element with options, directly in its component or in a list in it.
 */
export function readServersXml(text: string): { servers: unknown[] } | undefined {
  const document = parse(text);
  if (!document) return undefined;
  const found = [...document.getElementsByTagName('component')]
    .filter((component) => components.has(component.getAttribute('name') ?? ''))
    .flatMap((component) => elementsIn(component, '*'))
    .filter((element) =>
      elementsIn(element, 'option').some(({ parentNode }) => parentNode === element),
    );
  return {
    servers: found
      .map(readEntry)
      .filter(({ options }) => options['name'])
      .map(asServer),
  };
}
