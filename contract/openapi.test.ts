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

// Protobuf messages are only named.
const shown = contents.filter(([, type]) => !type.includes('protobuf'));

test.each(shown)('%s has an example in %s', (_name, _type, body) => {
  expect(body.example).toBeDefined();
});

test.each([
  ['exportTraces', /"resourceSpans":\[\{/],
  ['exportLogs', /"resourceLogs":\[\{.*api_request/],
  ['exportMetrics', /"resourceMetrics":\[\{.*"dataPoints":\[\{/],
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

test('errors list the reasons that their status can have', () => {
  const document = openApiOf(contract, { title: 't', version: '1' });
  const { paths, components } = document as unknown as {
    paths: Record<string, { post: { responses: Record<number, WithReason> } }>;
    components: { schemas: Record<string, { enum: string[] }> };
  };
  const ref = { $ref: '#/components/schemas/ErrorReason429' };
  for (const path of [contract.device.enroll.path, otel.exportTraces.path]) {
    const { headers } = paths[path]!.post.responses[429]!;
    expect(headers['X-Error-Reason'].schema).toEqual(ref);
  }
  const { content } = paths[contract.device.enroll.path]!.post.responses[429]!;
  expect(content['application/json']).toMatchObject({
    schema: { properties: { error: { properties: { details: { properties: { reason: ref } } } } } },
    example: { error: { details: { reason: 'rate_limited' } } },
  });
  expect(components.schemas.ErrorReason429?.enum).toEqual(
    expect.arrayContaining(['rate_limited', 'quota_exhausted']),
  );
  expect(components.schemas.ErrorReason429?.enum).not.toContain('not_found');
});

interface WithReason {
  headers: { 'X-Error-Reason': { schema: object } };
  content: Record<string, object>;
}

test('a route that needs an add-on names it', () => {
  const { paths } = openApiOf(contract, { title: 't', version: '1' });
  const operations = Object.values(paths as Record<string, Record<string, WithAddOn>>)
    .flatMap((path) => Object.values(path))
    .filter((operation) => operation['x-add-on'] !== undefined);
  const named = operations.map((operation) => [
    operation.operationId,
    operation['x-add-on'],
    operation.responses[403]?.description,
  ]);
  const lacking = (code: string) =>
    `The caller lacks the permission, or the add-on "${code}" is not active`;
  expect(named).toEqual([
    ['startAuditExport', 'audit_export', lacking('audit_export')],
    ['findAuditExport', 'audit_export', lacking('audit_export')],
    ['downloadAuditExport', 'audit_export', lacking('audit_export')],
    ['startOidcSignIn', 'sso', lacking('sso')],
    ['finishOidcSignIn', 'sso', lacking('sso')],
    ['listComplianceIncidents', 'insights', lacking('insights')],
  ]);
});

interface WithAddOn {
  operationId: string;
  'x-add-on'?: string;
  responses: Record<string, { description: string }>;
}
