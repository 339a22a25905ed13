import { TransNoContext } from '@lingui/react/server';
import type { TransProps } from '@lingui/react';
import { i18n } from './i18n.ts';

const lingui = { i18n };

/**
 * What the macro `Trans` becomes. A text among its values may look like an element of the message,
 * such as `<0>`: as a node it is never read as one.
 */
export function Trans({ values, ...message }: TransProps) {
  const nodes =
    values &&
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? <>{value}</> : value,
      ]),
    );
  return <TransNoContext {...message} {...(nodes && { values: nodes })} lingui={lingui} />;
}
