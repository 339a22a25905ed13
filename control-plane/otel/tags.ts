import { type Attributes, type Json, storable } from './attributes.ts';
import { attributeAliases } from './attribute-aliases.ts';
import { parsed } from './field.ts';
import { metadataOf } from './metadata-attribute.ts';

const MAX_TAGS = 100;
const MAX_LENGTH = 200;

/**
 * Returns the tags of a span, which may be a list, a list as JSON text, or one text; undefined if
 * there are none.
 */
export function tagsOf(attributes: Attributes): string[] | undefined {
  const tags: string[] = [];
  for (const name of attributeAliases.tags)
    if (attributes[name] !== undefined) tags.push(...tagsIn(attributes[name]));
  tags.push(...tagsIn(metadataOf(attributes).tags));
  return tags.length > 0 ? joinTags(tags, []) : undefined;
}

/**
 * Joins tags and sorts them, so that the order of spans does not matter. Beyond the maximum, only
 * the first ones are kept.
 */
export const joinTags = (a: readonly string[], b: readonly string[]): string[] =>
  [...new Set([...a, ...b])].sort().slice(0, MAX_TAGS);

function tagsIn(value: Json | undefined): string[] {
  const json = parsed(value);
  if (json === undefined || json === null) return [];
  return (Array.isArray(json) ? json : [json]).flatMap((tag) =>
    typeof tag === 'string' && tag !== '' ? storable(tag.slice(0, MAX_LENGTH)).toWellFormed() : [],
  );
}
