import type { ChatMessage } from '#contract/prompt-content.ts';

type Parts = Exclude<ChatMessage['content'], string>;

/** Converts messages to Anthropic's form, with the system prompt as a separate field. */
export function anthropicMessages(messages: readonly ChatMessage[]) {
  const system = messages.filter(isInstruction).map(({ content }) => textOf(content));
  return {
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages: messages
      .filter((message) => !isInstruction(message))
      .map(({ role, content }) => ({ role, content: withImages(content) })),
  };
}

const isInstruction = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer';

const textOf = (content: ChatMessage['content']): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => ('text' in part ? String(part.text) : '')).join('\n');

const withImages = (content: ChatMessage['content']) =>
  typeof content === 'string' ? content : content.map(asBlock);

/** Converts an `image_url` part to an image block. Other parts are passed through. */
function asBlock(part: Parts[number]): Parts[number] {
  const url = part.type === 'image_url' && (part as ImagePart).image_url?.url;
  if (typeof url !== 'string') return part;
  const [, media_type, data] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(url) ?? [];
  const source = data ? { type: 'base64', media_type, data } : { type: 'url', url };
  return { type: 'image', source };
}

interface ImagePart {
  image_url?: { url?: unknown };
}
