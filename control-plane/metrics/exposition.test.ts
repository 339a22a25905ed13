import { expect, test } from 'vitest';
import { exposition } from './exposition.ts';
import { createRequestMetrics } from './requests.ts';

test('labels and help texts are escaped', () => {
  expect(
    exposition([
      {
        name: 'one',
        help: 'a\\b\nc',
        type: 'gauge',
        samples: [{ labels: { of: 'say "a"\n\\' }, value: 0.5 }, { value: 7 }],
      },
    ]),
  ).toBe('# HELP one a\\\\b\\nc\n# TYPE one gauge\none{of="say \\"a\\"\\n\\\\"} 0.5\none 7\n');
});

test('histogram buckets are cumulative', () => {
  const requests = createRequestMetrics();
  const route = { method: 'GET', path: '/a/{id}/' } as const;
  for (const ms of [1, 2, 2.1, 60, 99_000]) requests.observe(route, ms > 50 ? 503 : 200, ms);
  const text = exposition(requests.collect());
  const buckets = [...text.matchAll(/_bucket\{.*le="(.*)"\} (\d+)/g)].map(
    ([, bound, count]) => `${bound}: ${count}`,
  );
  expect(buckets).toEqual([
    '0.002: 2',
    '0.005: 3',
    '0.01: 3',
    '0.025: 3',
    '0.05: 3',
    '0.1: 4',
    '0.25: 4',
    '0.5: 4',
    '1: 4',
    '2.5: 4',
    '10: 4',
    '+Inf: 5',
  ]);
  expect(text).toContain('_count{route="/a/{id}/",method="GET"} 5\n');
  expect(text).toContain('requests_total{route="/a/{id}/",method="GET",status="503"} 2\n');
});
