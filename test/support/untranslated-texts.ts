import type { Page } from 'playwright-core';

/** All texts of a page that a user reads or hears: visible texts, options, and accessible names. */
export const readTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const names = ['title', 'aria-label', 'placeholder', 'alt', 'aria-description'];
    // Code and keys are the same in every language.
    const unread = 'script, style, code, pre, kbd, noscript, .mono';
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      const shown = parent?.checkVisibility() || parent?.localName === 'option';
      if (shown && !parent?.closest(unread)) texts.push(walker.currentNode.textContent ?? '');
    }
    for (const element of document.querySelectorAll('body *'))
      for (const name of names)
        if (name !== 'placeholder' || !element.matches('.mono'))
          texts.push(element.getAttribute(name) ?? '');
    return [document.title, ...texts].map((text) => text.trim()).filter((text) => text !== '');
  });

/** All strings in a JSON response. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

export interface Data {
  /** Sorted by length, the longest first. */
  strings: readonly string[];
  all: string;
}

/** The texts in responses of the server, which are not translated. */
export function dataOf(answers: readonly string[]): Data {
  const strings = new Set(answers.flatMap((answer) => stringsIn(JSON.parse(answer || 'null'))));
  return {
    strings: [...strings].filter((text) => /[a-z]/i.test(text)).sort((a, b) => b.length - a.length),
    all: [...strings].join('\n'),
  };
}

/** Names of products and files, which are the same in every language. */
const names: readonly RegExp[] = [
  /Gatehouse-Setup-<version>\.pkg/,
  /\b(?:Gatehouse|Jamf Pro|Microsoft Intune|Mosyle|Fleet|Hexnode|TypeScript|Python|OpenTelemetry)\b/g,
  /\b(?:Chrome|Linux|Claude Code|Codex|Gemini CLI|OpenAI API|Slack|Microsoft Teams|curl)\b/g,
];

/** Other texts that are the same in every language, or come from the browser. */
const same: readonly RegExp[] = [
  /\b(?:SDK|API|JSON|CSV|AI|TCP|kB|MB|GB|ms|UTC|GMT(?:[+-]\d+)?|AM|PM)\b/g,
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*\b/g,
  /^(?:temperature|your-name)\b/, // a setting of models, and a part of a host name
  /\b[A-Z]+(?:_[A-Z]+)*\b/g, // a type of masked values
  /"[^"]*"/g, // a string in JSON
  /(?:<b>&amp;"')?(\w)\1{9,}/g, // a name that tests the limits of the layout
];

const TIME_ZONE = /^[A-Z]\w+(?:\/[\w -]+)+$/;

/** Words with ASCII letters only: those of translated messages have accents. */
const PLAIN_WORD = /(?<![\p{L}\p{M}])[A-Za-z]{2,}(?![\p{L}\p{M}])/u;

/** The texts that are neither translated nor data. */
export function untranslated(texts: readonly string[], { strings, all }: Data): string[] {
  const isData = (text: string) => all.includes(text.replace(/…$/, ''));
  const suspects = [...new Set(texts)].filter((text) => PLAIN_WORD.test(text) && !isData(text));
  return suspects.filter((text) => {
    if (TIME_ZONE.test(text)) return false;
    let rest = text;
    const removeData = (data: readonly string[]): void => {
      for (const known of data) if (rest.includes(known)) rest = rest.replaceAll(known, ' ');
    };
    // Sentences may contain names, and names may contain words that are data as well.
    removeData(strings.filter((known) => known.includes(' ')));
    for (const one of names) rest = rest.replace(one, ' ');
    removeData(strings);
    for (const one of same) rest = rest.replace(one, ' ');
    return PLAIN_WORD.test(rest);
  });
}
