import { expect, test } from 'vitest';
import { contract } from './index.ts';
import { openApiOf, refusalStatuses } from './openapi.ts';
import type { Route } from './route.ts';

const { identity, scores, playground, otel, service, runs } = contract;

test.each<[string, Route, number[]]>([
  [
    'a body, a session, a score of something',
    scores.createScore,
    [400, 401, 403, 404, 409, 413, 415],
  ],
  ['who signs in wrongly', identity.login, [400, 401, 403, 409, 413, 415]],
  ['models elsewhere', playground.runPlayground, [400, 401, 403, 404, 409, 413, 415, 502, 504]],
  ['several media types', otel.exportTraces, [400, 401, 403, 409, 413, 415]],
  ['a path', runs.getRun, [400, 401, 403, 404]],
  ['nothing', service.healthz, []],
])('%s: documents its error statuses', (_what, route, expected) => {
  const statuses = refusalStatuses(route);
  expect(statuses).toEqual([...expected, 429, 500, 503].toSorted((a, b) => a - b));
  const { paths } = openApiOf({ only: { one: route } }, { title: 't', version: '1' });
  const operation = (paths as Record<string, Record<string, { responses: object }>>)[route.path]?.[
    route.method.toLowerCase()
  ];
  expect(Object.keys(operation?.responses ?? {})).toEqual(
    [route.status ?? 200, ...statuses].map(String),
  );
  expect(JSON.stringify(operation)).not.toContain('"description":""');
});

type Documented = Record<string, { example?: unknown }>;
const contents = Object.values(
  openApiOf(contract, { title: 't', version: '1' }).paths as Record<string, Record<string, object>>,
)
  .flatMap((path) => Object.values(path))
  .flatMap((operation) => {
    const { operationId, requestBody, responses } = operation as {
      operationId: string;
      requestBody?: { content: Documented };
      responses: Record<string, { content?: Documented }>;
    };
    const success = Object.entries(responses).find(([status]) => status < '300')?.[1].content;
    return [requestBody?.content ?? {}, success ?? {}].flatMap((content) =>
      Object.entries(content).map(([type, body]) => [operationId, type, body] as const),
    );
  });

// Messages of protobuf are named alone.
const shown = contents.filter(([, type]) => !type.includes('protobuf'));

test.each(shown)('%s has an example in %s', (_name, _type, body) => {
  expect(body.example).toBeDefined();
});

test.each([
  ['exportTraces', /"resourceSpans":\[\{/],
  ['runPlayground', /"output":"Hello Ada!"/],
  ['comparePlayground', /"output":"Hello Ada!".*"error":null/],
  ['getMdmProfile', /<plist version/],
])('the example of %s has a typical value', (name, expected) => {
  const examples = shown.filter(([of]) => of === name).map(([, , { example }]) => example);
  expect(JSON.stringify(examples)).toMatch(expected);
});

test('protobuf is documented in requests, responses and errors', () => {
  const { paths } = openApiOf(contract, { title: 't', version: '1' });
  const { post } = (paths as Record<string, { post: Operation }>)[otel.exportTraces.path] as {
    post: Operation;
  };
  const messages = [post.requestBody, ...Object.values(post.responses)].map(
    ({ content }) => content['application/x-protobuf']?.schema?.description,
  );
  expect(new Set(messages)).toEqual(
    new Set([
      expect.stringContaining('ExportTraceServiceRequest'),
      expect.stringContaining('ExportTraceServiceResponse'),
      expect.stringContaining('google.rpc.Status'),
    ]),
  );
});

interface Operation {
  requestBody: Body;
  responses: Record<string, Body>;
}
interface Body {
  content: Record<string, { schema?: { description?: string }; example?: unknown }>;
}

test.each([
  [otel.exportTraces, 403, { code: 7 }],
  [otel.exportTraces, 413, { code: 8 }],
  [otel.exportTraces, 401, { code: 16 }],
  [contract.device.enroll, 401, { error: { code: 'unauthorized' } }],
  [contract.device.enroll, 503, { error: { code: 'unavailable' } }],
])('errors of $path show their code', (route: Route, status, expected) => {
  const { paths } = openApiOf({ only: { one: route } }, { title: 't', version: '1' });
  const { post } = (paths as Record<string, { post: Operation }>)[route.path] as {
    post: Operation;
  };
  expect(post.responses[status]?.content['application/json']?.example).toMatchObject(expected);
});
