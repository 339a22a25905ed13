import type { RE2JS } from 're2js';
import { compileMatcher, MAX_TOTAL_PROGRAM_SIZE } from '#domain/redaction/patterns/pattern.ts';
import { assertions } from './assertions.ts';
import { combining } from './combining.ts';
import { lastArrayKeywords, arrayKeywords } from './items.ts';
import { truncateForMessage } from './json-text.ts';
import { lastObjectKeywords, objectKeywords } from './members.ts';
import {
  failureAt,
  isObject,
  type Keyword,
  type Reader,
  type SchemaNode,
  SchemaProblem,
} from './schema-node.ts';

/** Keywords in the order in which they are applied. The last two depend on all others. */
const keywords: readonly [string, Keyword][] = [
  assertions,
  combining,
  arrayKeywords,
  objectKeywords,
  lastArrayKeywords,
  lastObjectKeywords,
].flatMap((some) => Object.entries(some));

/**
 * Unsupported keywords, whose meaning depends on other documents or on where a schema is applied
 * from.
 */
const UNSUPPORTED = ['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$vocabulary'];
const DRAFT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

const TOO_COMPLEX = `all patterns together are too complex: they have more than ${MAX_TOTAL_PROGRAM_SIZE} steps`;

export interface ReadSchema {
  root: SchemaNode;
  /** The size of all patterns together, in steps of the compiled programs. */
  patternSize: number;
}

/**
 * Reads a schema. If its patterns are too large together, not all of them are compiled, because
 * that takes long.
 *
 * @throws SchemaProblem
 */
export function readSchema(document: unknown, maxPatternSize: number): ReadSchema {
  const nodes = new Map<object, SchemaNode>();
  const anchors = new Map<string, unknown>();
  const references: (() => SchemaNode)[] = [];
  const matchers = new Map<string, RE2JS>();
  let patternSize = 0;

  const reader: Reader = {
    schema,
    schemas(value, where) {
      if (!Array.isArray(value) || value.length === 0)
        throw new SchemaProblem(where, 'expected an array of schemas');
      return value.map((one, at) => schema(one, `${where}/${at}`));
    },
    members(value, where) {
      if (!isObject(value)) throw new SchemaProblem(where, 'expected an object of schemas');
      return Object.entries(value).map(([name, one]) => [name, schema(one, `${where}/${name}`)]);
    },
    pattern(source, where) {
      if (typeof source !== 'string') throw new SchemaProblem(where, 'expected a pattern');
      const known = matchers.get(source);
      if (known) return known;
      const compiled = compileMatcher(source);
      if ('error' in compiled) throw new SchemaProblem(where, `the pattern ${compiled.error}`);
      patternSize += compiled.matcher.programSize();
      if (patternSize > maxPatternSize) throw new SchemaProblem(where, TOO_COMPLEX);
      matchers.set(source, compiled.matcher);
      return compiled.matcher;
    },
    reference(target, where) {
      if (typeof target !== 'string' || !target.startsWith('#'))
        throw new SchemaProblem(
          where,
          'expected a reference that begins with #: others are not followed',
        );
      // The reference is resolved once, not each time that it is applied.
      let node: SchemaNode | undefined;
      const resolve = () => (node ??= referred(target, where));
      references.push(resolve);
      return resolve;
    },
  };

  const root = schema(document, '');
  // Reading the target of a reference may find more references.
  for (const resolve of references) resolve();
  return { root, patternSize };

  function schema(value: unknown, where: string): SchemaNode {
    if (value === true) return { checks: [] };
    if (value === false) return { checks: [(instance) => failureAt(instance, 'nothing')] };
    if (!isObject(value))
      throw new SchemaProblem(where, 'expected a schema: an object, true or false');
    const known = nodes.get(value);
    if (known) return known;
    const node: SchemaNode = { checks: [] };
    nodes.set(value, node);
    readIdentity(value, where);
    for (const [name, read] of keywords)
      if (Object.hasOwn(value, name)) {
        const of = { reader, where: `${where}/${name}`, siblings: value };
        const check = read(value[name], of);
        if (check) node.checks.push(check);
      }
    return node;
  }

  function readIdentity(value: Record<string, unknown>, where: string): void {
    const unsupported = UNSUPPORTED.find((name) => Object.hasOwn(value, name));
    if (unsupported !== undefined)
      throw new SchemaProblem(where, `${unsupported} is not supported`);
    const { $schema, $id, $anchor, $defs } = value;
    if ($schema !== undefined && (typeof $schema !== 'string' || !DRAFT.test($schema)))
      throw new SchemaProblem(where, 'expected draft 2020-12 as $schema');
    if ($id !== undefined && where !== '')
      throw new SchemaProblem(where, '$id is supported at the top only');
    if (typeof $anchor === 'string') anchors.set($anchor, value);
    if ($defs !== undefined) reader.members($defs, `${where}/$defs`);
  }

  function referred(target: string, where: string): SchemaNode {
    return schema(find(target, where), target.slice(1));
  }

  /** Resolves a reference within the document. */
  function find(target: string, where: string): unknown {
    const fragment = decoded(target.slice(1));
    const found =
      fragment === '' || fragment?.startsWith('/')
        ? fragment.split('/').slice(1).reduce(memberOf, document)
        : anchors.get(fragment ?? '');
    if (found === undefined)
      throw new SchemaProblem(where, `the schema has no ${truncateForMessage(target)}`);
    return found;
  }
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, key: string): unknown {
  const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
