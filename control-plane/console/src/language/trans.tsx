import { TransNoContext } from '@lingui/react/server';
import type { TransProps } from '@lingui/react';
import { cloneElement, isValidElement } from 'react';
import type { ReactNode } from 'react';
import { i18n } from './i18n.ts';

const lingui = { i18n };

/** Inserted after each `<` in a value, so that it is not read as an element. */
const GUARD = '\uE000';

const isMarkup = (value: unknown): value is string =>
  typeof value === 'string' && value.includes('<');

/** Removes the guards from the texts of values. */
function unguard(node: ReactNode): ReactNode {
  if (typeof node === 'string') return node.replaceAll(`<${GUARD}`, '<');
  if (Array.isArray(node)) return node.map(unguard);
  if (!isValidElement<{ children?: ReactNode }>(node)) return node;
  const { children } = node.props;
  return children === undefined ? node : cloneElement(node, undefined, unguard(children));
}

/**
 * Component that the macro `Trans` compiles to. Lingui would read `<0>` in a value as an element of
 * the message. Values come from agents and devices, so they must stay text.
 */
export function Trans({ values = {}, ...message }: TransProps) {
  const entries = Object.entries(values);
  if (!entries.some(([, value]) => isMarkup(value)))
    return <TransNoContext {...message} values={values} lingui={lingui} />;
  const guarded = entries.map(([name, value]) => [
    name,
    isMarkup(value) ? value.replaceAll('<', `<${GUARD}`) : value,
  ]);
  const { id, message: text, components } = message;
  return (
    <TransNoContext
      id={id}
      {...(text !== undefined && { message: text })}
      {...(components && { components })}
      values={Object.fromEntries(guarded)}
      lingui={lingui}
      render={({ translation }) => <>{unguard(translation)}</>}
    />
  );
}
