import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Text } from '../parts/text.tsx';
import { Trans } from './trans.tsx';

const render = (name: string): string =>
  renderToStaticMarkup(
    createElement(Trans, {
      id: 'test',
      message: 'The limits of <0><1>{name}</1></0> no longer apply.',
      values: { name },
      components: {
        0: createElement('strong'),
        // oxlint-disable-next-line react/no-children-prop -- a property that the component requires
        1: createElement(Text, { children: '' }),
      },
    }),
  );

test.each([
  ['ada', 'ada'],
  ['<0>ada</0>', '&lt;0&gt;ada&lt;/0&gt;'],
  ['</1></0><b>', '&lt;/1&gt;&lt;/0&gt;&lt;b&gt;'],
  ['\\u202E', '\\u202E'],
  ['\u202E', '‹U+202E›'],
])('the value %j is shown as text', (name, text) => {
  expect(render(name)).toBe(`The limits of <strong><bdi>${text}</bdi></strong> no longer apply.`);
});
