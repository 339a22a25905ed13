import type { Page } from 'playwright-core';

/** What a person reads or hears on a page: visible texts, options, and accessible names. */
export const readTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const names = ['title', 'aria-label', 'placeholder', 'alt', 'aria-description'];
    // Code and keys are the same in every language.
    const unread = 'script, style, code, pre, kbd, noscript';
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      const shown = parent?.checkVisibility() || parent?.localName === 'option';
      if (shown && !parent?.closest(unread)) texts.push(walker.currentNode.textContent ?? '');
    }
    for (const element of document.querySelectorAll('body *'))
      for (const name of names) texts.push(element.getAttribute(name) ?? '');
    return [document.title, ...texts].map((text) => text.trim()).filter((text) => text !== '');
  });

/** Every text in a JSON answer. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

export interface Data {
  /** Longest first. */
  strings: readonly string[];
  all: string;
}

/** What a server answered, and so is nothing to translate. */
export function dataOf(answers: readonly string[]): Data {
  const strings = new Set(answers.flatMap((answer) => stringsIn(JSON.parse(answer || 'null'))));
  return {
    strings: [...strings].filter((text) => /[a-z]/i.test(text)).sort((a, b) => b.length - a.length),
    all: answers.join('\n'),
  };
}

/** Names of products and protocols, and of units, which are the same in every language. */
const NAMES =
  /\b(Gatehouse|OpenAI|Anthropic|Slack|JSON|CSV|API|SDK|UTC|GMT|kB|MB|GB|TB|ms|GMT[+-]\d+)\b/g;

/** Dates come from the browser, which does not know the pseudo-locale. */
const DATES =
  /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|January|February|March|April|June|July|August|September|October|November|December|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g;

/** Words with letters of ASCII alone: those of a message have marks. */
const PLAIN_WORD = /(?<![\p{L}\p{M}])[A-Za-z]{2,}(?![\p{L}\p{M}])/u;

/** The texts that are neither translated nor data. */
export function untranslated(texts: readonly string[], { strings, all }: Data): string[] {
  const suspects = [...new Set(texts)].filter(
    (text) => PLAIN_WORD.test(text) && !all.includes(text),
  );
  return suspects.filter((text) => {
    let rest = text;
    for (const known of strings) if (rest.includes(known)) rest = rest.replaceAll(known, ' ');
    return PLAIN_WORD.test(rest.replaceAll(NAMES, ' ').replaceAll(DATES, ' '));
  });
}
