import type { ReactNode } from 'react';
import { markInvisible } from '../mark-invisible.ts';

interface ExternalLinkProps {
  url: string;
  title?: string | null | undefined;
  children: ReactNode;
}

/** A link in recorded text. An address that is not for the web or mail is shown as text. */
export function ExternalLink({ url, title, children }: ExternalLinkProps) {
  const href = safeUrl(url);
  if (href === undefined)
    return (
      <>
        {typeof children === 'string' ? markInvisible(children) : children}
        {children !== url && ` (${markInvisible(url)})`}
      </>
    );
  // Shows the address, because the text of a link may claim a different one.
  const hint = title ? `${markInvisible(title)}: ${markInvisible(url)}` : markInvisible(url);
  return (
    <a
      href={href}
      title={hint}
      target="_blank"
      rel="noopener noreferrer nofollow ugc external"
      referrerPolicy="no-referrer"
    >
      {typeof children === 'string' ? markInvisible(children) : children}
    </a>
  );
}

const allowed = new Set(['http:', 'https:', 'mailto:']);

/** Returns an absolute address that is safe to open from recorded text; undefined for any other. */
export function safeUrl(text: string): string | undefined {
  // Without a scheme, the address would be relative to the console.
  if (!/^[a-z]+:/i.test(text)) return undefined;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return allowed.has(url.protocol) ? url.href : undefined;
}
