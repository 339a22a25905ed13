import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item';
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';

/** Disables HTML, so that tags stay text, and definitions, which would disappear from the page. */
const asText = { disable: { null: ['htmlFlow', 'htmlText', 'definition'] } };

/** Matches deeply nested containers, for which the parser would need more than linear time. */
const deepContainers = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){30}/m;

/**
 * Parses Markdown (CommonMark with tables, task lists, strikethrough and bare links). Undefined if
 * the text cannot be parsed.
 */
export function parseMarkdown(text: string): Root | undefined {
  if (deepContainers.test(text)) return undefined;
  try {
    return fromMarkdown(text, {
      extensions: [
        gfmAutolinkLiteral(),
        gfmStrikethrough({ singleTilde: false }),
        gfmTable(),
        gfmTaskListItem(),
        asText,
      ],
      mdastExtensions: [
        gfmAutolinkLiteralFromMarkdown(),
        gfmStrikethroughFromMarkdown(),
        gfmTableFromMarkdown(),
        gfmTaskListItemFromMarkdown(),
      ],
    });
  } catch {
    return undefined;
  }
}
