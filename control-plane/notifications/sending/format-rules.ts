import type { Message, MessageItem } from '../notification-message.ts';
import { cleanText, oneLine } from '../text-rules.ts';

const TITLE = 150;
const TEXT = 600;
/** The number of items shown, because Slack allows 50 blocks and Teams 28 KB. */
const SHOWN_ITEMS = 10;

/** Returns the subject of an email, which is also the headline of a message. */
export function headlineOf({ items, count }: Message): string {
  const title = oneLine(items[0]?.facts.title ?? '', TITLE);
  return count > 1 ? `${title} and ${count - 1} more` : title;
}

const shownItems = ({ items }: Message): readonly MessageItem[] => items.slice(0, SHOWN_ITEMS);

const rest = (message: Message): number => message.count - shownItems(message).length;

const titleOf = ({ facts }: MessageItem): string => oneLine(facts.title, TITLE);

const textOf = ({ facts, decided }: MessageItem): string =>
  [cleanText(facts.text, TEXT), decided].filter(Boolean).join('\n');

const footOf = ({ rule }: Message): string =>
  rule ? `Notification rule: ${oneLine(rule.name, 100)}` : 'Test of this channel';

/**
 * Returns the payload of a signed webhook: `type`, `timestamp` and `data`, as in Standard Webhooks.
 */
export const webhookBody = (message: Message): string =>
  JSON.stringify({
    type: message.event,
    timestamp: new Date(Math.max(0, ...message.items.map((one) => one.created_at))).toISOString(),
    data: {
      rule: message.rule,
      count: message.count,
      events: message.items.map(({ id, created_at, facts, url, decide_url }) => ({
        id,
        created_at: new Date(created_at).toISOString(),
        title: facts.title,
        text: facts.text,
        severity: facts.severity,
        agent_name: facts.agent,
        policy: facts.policy,
        device: facts.device,
        details: facts.details,
        url,
        decide_url,
      })),
    },
  });

/**
 * Escapes text for Slack, whose markup requires this only for `&`, `<` and `>`. Formatting marks
 * are left as text.
 */
const slackEscaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Returns the blocks of an incoming webhook. Text from agents is plain text, which has no markup.
 */
export function slackBody(message: Message, appName: string): string {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const blocks = [
    { type: 'header', text: plain(oneLine(headlineOf(message), TITLE)) },
    ...shownItems(message).flatMap((item) => [
      {
        type: 'section',
        text: plain(
          [message.count > 1 ? titleOf(item) : '', textOf(item)].filter(Boolean).join('\n') || '–',
        ),
      },
      { type: 'actions', elements: linksOf(item).map((link) => slackButton(link)) },
    ]),
    ...(rest(message) > 0 ? [{ type: 'section', text: plain(`and ${rest(message)} more`) }] : []),
    { type: 'context', elements: [plain(`${appName} · ${footOf(message)}`)] },
  ];
  return JSON.stringify({ text: slackEscaped(headlineOf(message)), blocks });
}

interface MessageLink {
  text: string;
  url: string;
}

const linksOf = ({ url, decide_url }: MessageItem): MessageLink[] => [
  ...(decide_url === null ? [] : [{ text: 'Approve or deny', url: decide_url }]),
  { text: 'Open', url },
];

const slackButton = ({ text, url }: MessageLink) => ({
  type: 'button',
  text: { type: 'plain_text', text },
  url,
});

/** Escapes characters with a meaning in Markdown, which Adaptive Cards interpret. */
const markdownEscaped = (text: string): string => text.replace(/[\\`*_{}[\]()#+!|<>~-]/g, '\\$&');

/**
 * Returns an Adaptive Card in the form that the Teams workflow "When a Teams webhook request is
 * received" expects.
 */
export function teamsBody(message: Message, appName: string): string {
  const block = (text: string, more: object = {}) => ({
    type: 'TextBlock',
    text: markdownEscaped(text),
    wrap: true,
    ...more,
  });
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(headlineOf(message), { size: 'Medium', weight: 'Bolder' }),
      ...shownItems(message).flatMap((item) => [
        ...(message.count > 1 ? [block(titleOf(item), { weight: 'Bolder', separator: true })] : []),
        block(textOf(item) || '–'),
        {
          type: 'ActionSet',
          actions: linksOf(item).map(({ text, url }) => ({
            type: 'Action.OpenUrl',
            title: text,
            url,
          })),
        },
      ]),
      ...(rest(message) > 0 ? [block(`and ${rest(message)} more`)] : []),
      block(`${appName} · ${footOf(message)}`, { isSubtle: true, size: 'Small' }),
    ],
  };
  return JSON.stringify({
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card },
    ],
  });
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const htmlEscaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? '');

/** Returns plain text, and the same as simple HTML that every mail program can show. */
export function emailContent(
  message: Message,
  appName: string,
): { subject: string; text: string; html: string } {
  const headline = headlineOf(message);
  const more = rest(message) > 0 ? [`and ${rest(message)} more`] : [];
  const foot = `${appName} · ${footOf(message)}`;
  const text = [
    ...shownItems(message).map((item) =>
      [titleOf(item), textOf(item), ...linksOf(item).map(({ text, url }) => `${text}: ${url}`)]
        .filter(Boolean)
        .join('\n'),
    ),
    ...more,
    foot,
  ].join('\n\n');
  const html = [
    ...shownItems(message).map(
      (item) =>
        `<h3>${htmlEscaped(titleOf(item))}</h3><p>${htmlEscaped(textOf(item)).replaceAll('\n', '<br>')}</p><p>${linksOf(
          item,
        )
          .map(({ text, url }) => `<a href="${htmlEscaped(url)}">${text}</a>`)
          .join(' &nbsp; ')}</p>`,
    ),
    ...more.map((line) => `<p>${line}</p>`),
    `<p><small>${htmlEscaped(foot)}</small></p>`,
  ].join('\n');
  return { subject: headline, text, html: `<!doctype html><html><body>${html}</body></html>` };
}
