import type { ReactNode } from 'react';
import { markInvisible } from '../mark-invisible.ts';
import { Text } from './text.tsx';
import './badge.css';

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';

interface BadgeProps {
  tone?: Tone;
  title?: string;
  children: ReactNode;
}

export function Badge({ tone = 'neutral', title, children }: BadgeProps) {
  return (
    <span className={`badge ${tone}`} title={title}>
      {children}
    </span>
  );
}

/** A state as a coloured dot with text. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="state">
      <span className={`dot ${tone}`} aria-hidden="true" />
      {children}
    </span>
  );
}

/** One line of text, truncated to its cell. The tooltip contains the full text. */
export function Clipped({ text, mono, title }: { text: string; mono?: boolean; title?: string }) {
  return (
    <span className={mono ? 'clipped mono' : 'clipped'} title={markInvisible(title ?? text)}>
      <Text>{text}</Text>
    </span>
  );
}
