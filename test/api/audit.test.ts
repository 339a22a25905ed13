import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY } from '../support/control-plane.ts';
import { appendMany, type AuditedService, startAudited } from '../support/audit-log.ts';
import { databases } from '../support/databases.ts';
import { eventually } from '../support/processes.ts';

const DAY_MS = 86_400_000;
const EPOCH = Date.UTC(2026, 0, 1);

const isoOf = (ms: number) => new Date(ms).toISOString();

const actors = ['user', 'agent', 'system'] as const;
const actions = ['policy.create', 'policy.update', 'prompt.create', 'user.sign_in'];

const moment = fc.oneof(
  fc.integer({ min: 0, max: 6 * DAY_MS }),
  fc.integer({ min: 0, max: 6 }).map((day) => day * DAY_MS),
);

describe.each(databases)('the audit log on %s', (kind) => {
  let service: AuditedService;
  beforeAll(async () => {
    service = await startAudited(kind);
  });
  afterAll(() => service.stop());

  const list = (
    query: Parameters<typeof service.byKey.audit.listAuditEntries>[0] = { query: {} },
  ) => service.byKey.audit.listAuditEntries(query);
  const subTenant = async (name: string, by = service.byKey) => {
    const { id, api_key } = await by.subTenants.createSubTenant({ body: { name } });
    return { id, byKey: service.by({ 'X-Svc-Key': api_key }) };
  };
  const latest = async () => (await list({ query: { limit: 1 } })).entries[0];

  test('an entry says who changed what from where, before and after', async () => {
    const params = { model_id: 'audited-model' };
    const price = { input_cost_per_million: 1, output_cost_per_million: 2 };
    const before = await service.byKey.costs.putModelCost({ params, body: price });
    const body = { ...price, output_cost_per_million: 3 };
    const after = await service.byKey.costs.putModelCost({ params, body });
    expect(await latest()).toEqual({
      id: expect.stringMatching(/^aud_/),
      sequence: expect.any(Number),
      actor_type: 'agent',
      actor_id: expect.stringMatching(/^key_/),
      action: 'model_cost.set',
      resource_type: 'model_cost',
      resource_id: 'audited-model',
      metadata: { before, after },
      ip: '127.0.0.1',
      created_at: expect.stringMatching(/Z$/),
      hash: expect.stringMatching(/^[\da-f]{64}$/),
    });
  });

  test('the log of a tenant begins with the tenant, also that of a sub-tenant', async () => {
    const born = (tenant: { id: string; name: string }) => ({
      sequence: 1,
      actor_type: 'system',
      actor_id: 'gatehouse',
      action: 'tenant.create',
      resource_type: 'tenant',
      resource_id: tenant.id,
      metadata: { after: tenant },
      ip: null,
    });
    const { entries } = await list({ query: { action: 'tenant.create' } });
    expect(entries).toMatchObject([born({ id: service.tenantId, name: 'Gatehouse' })]);
    const { id, byKey } = await subTenant('Born');
    expect(await byKey.audit.listAuditEntries({ query: {} })).toMatchObject({
      entries: [born({ id, name: 'Born' })],
      count: 1,
    });
  });

  test('an entry names the user who made the change', async () => {
    const body = { name: `by-a-person-${kind}`, content: 'x' };
    await service.byOwner.prompts.createPrompt({ body });
    expect(await latest()).toMatchObject({
      actor_type: 'user',
      actor_id: (await service.byOwner.identity.me()).id,
      action: 'prompt.create',
    });
  });

  test('secrets are masked, by name and by shape, also within texts', async () => {
    const metadata = {
      password: 'hunter2',
      nested: [{ Client_Secret: 'quite secret', apiKey: 12345678 }],
      note: `the key is ${API_KEY}, and\n-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqG\n-----END PRIVATE KEY-----`,
      tokens_in: 7,
      text: '{"token": "abc"}',
    };
    const body = { name: `with-secrets-${kind}`, content: 'x', metadata };
    await service.byOwner.prompts.createPrompt({ body });
    const entry = await latest();
    expect(entry?.metadata).toMatchObject({
      after: {
        metadata: {
          password: '##SECRET##',
          nested: [{ Client_Secret: '##SECRET##', apiKey: '##SECRET##' }],
          note: 'the key is ##API_KEY##, and\n##PRIVATE_KEY##',
          tokens_in: 7,
          text: '{"token": "##SECRET##"}',
        },
      },
    });
    const rows = await service.storage.db.selectFrom('audit_entries').select('metadata').execute();
    expect(JSON.stringify(rows)).not.toMatch(/hunter2|svc_sk_|BEGIN PRIVATE/);
  });

  test('the profile that carries a key leaves an entry without it', async () => {
    const profile = await service.byKey.deployment.getMdmProfile({ query: {} });
    const key = /svc_sk_\w+/.exec(profile)?.[0] ?? '';
    expect(key).not.toBe('');
    const entry = await latest();
    expect(entry).toMatchObject({ action: 'api_key.create', resource_type: 'api_key' });
    expect(JSON.stringify(entry)).not.toContain(key);
  });

  test.each([
    ['limit', { limit: 'x' }, /^limit: /],
    ['offset', { offset: -1 }, /^offset: /],
    ['start_date', { start_date: 'yesterday' }, /^start_date: /],
    ['end_date', { start_date: '2026-02-01', end_date: '2026-01-01' }, /^start_date: .*end_date/],
    ['actor_type', { actor_type: 'robot' }, /^actor_type: /],
    ['action', { action: '*.create' }, /^action: /],
  ])('a bad %s is refused', async (_name, query, message) => {
    await expect(list({ query: query as never })).rejects.toMatchObject({
      status: 400,
      code: 'validation_error',
      message: expect.stringMatching(message),
    });
  });

  test('a limit over the maximum is taken as the maximum, and 100 is usual', async () => {
    expect(await list({ query: { limit: 5000 } })).toMatchObject({ limit: 1000, offset: 0 });
    expect(await list()).toMatchObject({ limit: 100, offset: 0 });
  });

  test('no other tenant can read it, nor a request without a key', async () => {
    await expect(service.by({}).audit.listAuditEntries({ query: {} })).rejects.toMatchObject({
      status: 401,
    });
    const { key } = await service.byOwner.identity.createApiKey({
      body: { name: 'only records', permissions: ['record'] },
    });
    const recording = service.by({ 'X-Svc-Key': key });
    await expect(recording.audit.listAuditEntries({ query: {} })).rejects.toMatchObject({
      status: 403,
    });
    await appendMany(service.storage, 'tnt_other', [{}]);
    const { count } = await list();
    await appendMany(service.storage, 'tnt_other', [{}]);
    expect((await list()).count).toBe(count);
  });

  test('filters find what a look at every entry finds, page by page', async () => {
    const entry = fc.record({
      actor_type: fc.constantFrom(...actors),
      action: fc.constantFrom(...actions),
      created_at: moment.map((at) => EPOCH + at),
    });
    const stored = await appendMany(
      service.storage,
      service.tenantId,
      fc.sample(entry, { numRuns: 300, seed: 7 }),
    );
    const filter = fc.record({
      actor_type: fc.option(fc.constantFrom(...actors), { nil: undefined }),
      action: fc.option(fc.constantFrom(...actions, 'policy.*', 'p*', '*', 'policy', 'none.*'), {
        nil: undefined,
      }),
      start: fc.option(moment, { nil: undefined }),
      // All that is older than what other tests made.
      end: moment,
    });
    const property = async ({ actor_type, action, start, end }: FilterOf<typeof filter>) => {
      const from = start === undefined ? -Infinity : EPOCH + Math.min(start, end);
      const to = EPOCH + end;
      const matches = (given: string) =>
        action?.endsWith('*') ? given.startsWith(action.slice(0, -1)) : given === action;
      const expected = stored
        .filter((row) => row.created_at >= from && row.created_at < to)
        .filter((row) => actor_type === undefined || row.actor_type === actor_type)
        .filter((row) => action === undefined || matches(row.action))
        .toSorted((a, b) => b.created_at - a.created_at || b.sequence - a.sequence)
        .map(({ id }) => id);
      const query = {
        actor_type,
        action,
        end_date: isoOf(to),
        ...(start !== undefined && { start_date: isoOf(from) }),
      };
      const first = await list({ query: { ...query, limit: 40 } });
      const rest = await list({ query: { ...query, limit: 1000, offset: 40 } });
      expect([...first.entries, ...rest.entries].map(({ id }) => id)).toEqual(expected);
      expect([first.count, rest.count]).toEqual([expected.length, expected.length]);
    };
    await fc.assert(fc.asyncProperty(filter, property), { numRuns: 40 });
  });

  const finished = (client: typeof service.byKey, export_id: string) =>
    eventually(
      () => client.audit.findAuditExport({ params: { export_id } }),
      ({ status }) => status !== 'processing',
    );

  const exported = async (
    format: 'json' | 'csv' | 'ndjson',
    dates: { start_date?: string; end_date?: string },
  ) => {
    const asked = await service.byKey.audit.startAuditExport({ body: { format, ...dates } });
    expect(asked).toMatchObject({ status: 'processing', download_url: null });
    const done = await finished(service.byKey, asked.export_id);
    expect(done).toMatchObject({ status: 'completed', error: null, format });
    const response = await fetch(done.download_url ?? '');
    expect([response.status, response.headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="audit-${asked.export_id}.${format}"`,
    ]);
    return { done, type: response.headers.get('content-type'), text: await response.text() };
  };

  test('each format holds the entries of a range, in their order, as the list shows them', async () => {
    const dates = { start_date: isoOf(EPOCH + DAY_MS), end_date: isoOf(EPOCH + 3 * DAY_MS) };
    const { entries, count } = await list({ query: { ...dates, limit: 1000 } });
    const expected = entries.toSorted((a, b) => a.sequence - b.sequence);
    const json = await exported('json', dates);
    const ndjson = await exported('ndjson', dates);
    expect([json.type, ndjson.type]).toEqual([
      'application/json; charset=utf-8',
      'application/x-ndjson; charset=utf-8',
    ]);
    expect(count).toBeGreaterThan(50);
    expect(JSON.parse(json.text)).toEqual(expected);
    expect(
      ndjson.text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(expected);
    expect(json.done.entry_count).toBe(count);
  });

  test('a range without entries is an empty file', async () => {
    const dates = { start_date: '2001-01-01', end_date: '2001-01-02' };
    expect(JSON.parse((await exported('json', dates)).text)).toEqual([]);
    expect((await exported('ndjson', dates)).text).toBe('');
  });

  test('a table is safe for spreadsheets', async () => {
    const at = Date.UTC(2010, 0, 1);
    const odd = ['=HYPERLINK("x")', '+1', '-1', '@x', '\t=1', 'a "b", c', 'two\nlines', 'plain'];
    await appendMany(
      service.storage,
      service.tenantId,
      odd.map((resource_id) => ({ resource_id, created_at: at, ip: null })),
    );
    const { text, type } = await exported('csv', {
      start_date: '2010-01-01',
      end_date: '2010-01-02',
    });
    expect(type).toBe('text/csv; charset=utf-8');
    const [names, ...rows] = readCsv(text);
    expect(names).toEqual([
      'id',
      'sequence',
      'actor_type',
      'actor_id',
      'action',
      'resource_type',
      'resource_id',
      'metadata',
      'ip',
      'created_at',
      'hash',
    ]);
    expect(rows.map((row) => row[6])).toEqual([
      `'=HYPERLINK("x")`,
      `'+1`,
      `'-1`,
      `'@x`,
      `'\t=1`,
      'a "b", c',
      'two\nlines',
      'plain',
    ]);
    expect(rows.map((row) => [row[8], row[9]])).toEqual(
      odd.map(() => ['', '2010-01-01T00:00:00.000Z']),
    );
    expect(JSON.parse(rows[0]?.[7] ?? '')).toMatchObject({ after: { enabled: true } });
  });

  test('the link is for one file and for an hour, and says nothing else', async () => {
    const { done } = await exported('json', { end_date: '2001-01-01' });
    const link = new URL(done.download_url ?? '');
    const params = { export_id: done.export_id };
    const query = Object.fromEntries(link.searchParams) as Record<'tenant' | 'signature', string>;
    const expires = Number(link.searchParams.get('expires'));
    const download = (change: object, of = params) =>
      service
        .by({})
        .audit.downloadAuditExport({ params: of, query: { ...query, expires, ...change } });
    const refused = { status: 403, message: expect.stringMatching(/^this link is invalid/) };
    expect(await download({})).toBe('[]\n');
    await expect(download({ expires: expires + 1 })).rejects.toMatchObject(refused);
    await expect(download({ tenant: 'tnt_other' })).rejects.toMatchObject(refused);
    await expect(download({ signature: 'f'.repeat(64) })).rejects.toMatchObject(refused);
    await expect(download({ signature: 'ü' })).rejects.toMatchObject(refused);
    await expect(download({}, { export_id: 'exp_1' })).rejects.toMatchObject(refused);
    service.setTime(expires * 1000);
    await expect(download({})).rejects.toMatchObject(refused);
    service.setTime(undefined);
  });

  /** A sub-tenant with the add-on and a file, and what its link answers. */
  const withFile = async (by = service.byKey) => {
    const one = await subTenant('With a file', by);
    await one.byKey.enterprise.activateAddOn({ body: { add_on_code: 'audit_export' } });
    const { export_id } = await one.byKey.audit.startAuditExport({ body: {} });
    const { download_url } = await finished(one.byKey, export_id);
    const download = async () => {
      const answer = await fetch(download_url ?? '');
      return [answer.status, await answer.text()] as const;
    };
    expect(await download()).toEqual([200, expect.stringContaining('tenant.create')]);
    return { ...one, params: { export_id }, download };
  };

  test('links of a suspended tenant and of tenants below it are refused during the suspension', async () => {
    const parent = await subTenant('Late payer');
    const { id, download } = await withFile(parent.byKey);
    for (const sub_tenant_id of [id, parent.id]) {
      const params = { sub_tenant_id };
      await service.byKey.subTenants.suspendSubTenant({ params, body: {} });
      expect(await download()).toEqual([403, expect.stringContaining('is suspended')]);
      await service.byKey.subTenants.resumeSubTenant({ params });
      expect((await download())[0]).toBe(200);
    }
  });

  test('without the add-on neither the state of an export nor its link is answered', async () => {
    const { byKey, params, download } = await withFile();
    const add_on_code = 'audit_export';
    await byKey.enterprise.cancelAddOn({ params: { add_on_code } });
    await expect(byKey.audit.findAuditExport({ params })).rejects.toMatchObject({
      status: 403,
      message: 'the add-on "audit_export" is not active',
    });
    expect(await download()).toEqual([403, expect.stringContaining('audit_export')]);
    await byKey.enterprise.activateAddOn({ body: { add_on_code } });
    expect((await download())[0]).toBe(200);
  });

  test('a file is deleted after a day, with all its pieces', async () => {
    const { done } = await exported('json', { end_date: '2001-01-01' });
    const { export_id } = done;
    expect(Date.parse(done.expires_at) - Date.parse(done.created_at)).toBe(DAY_MS);
    service.setTime(Date.now() + DAY_MS + 1000);
    const { db } = service.storage;
    await eventually(
      () => db.selectFrom('audit_exports').select('id').where('id', '=', export_id).execute(),
      (rows) => rows.length === 0,
    );
    const chunks = db.selectFrom('audit_export_chunks').where('export_id', '=', export_id);
    expect(await chunks.select('number').execute()).toEqual([]);
    service.setTime(undefined);
    const gone = service.byKey.audit.findAuditExport({ params: { export_id } });
    await expect(gone).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test('an entry that was made unreadable fails the export and is named', async () => {
    const at = { created_at: Date.UTC(2011, 0, 1), id: `aud_odd_${kind}` };
    await appendMany(service.storage, service.tenantId, [{ ...at, metadata: 'not JSON' }]);
    const { export_id } = await service.byKey.audit.startAuditExport({
      body: { start_date: '2011-01-01', end_date: '2011-01-02' },
    });
    expect(await finished(service.byKey, export_id)).toMatchObject({
      status: 'failed',
      download_url: null,
      error: expect.stringMatching(new RegExp(`^entry \\d+ \\(aud_odd_${kind}\\) cannot be read`)),
    });
  });

  test.each([
    [{ format: 'xml' }, /^format: /],
    [{ start_date: 'x' }, /^start_date: /],
    [{ start_date: '2026-01-02', end_date: '2026-01-01' }, /^start_date: /],
    [{ colour: 'red' }, /colour/],
  ])('an export of %j is refused', async (body, message) => {
    const asked = service.byKey.audit.startAuditExport({ body: body as never });
    await expect(asked).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    });
  });

  test('an export that was never requested is not found', async () => {
    const params = { export_id: 'exp_nobody' };
    const asked = service.byKey.audit.findAuditExport({ params });
    await expect(asked).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });
});

type FilterOf<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** Rows of RFC 4180 whose values are all quoted. */
const readCsv = (text: string): string[][] =>
  text
    .split(/(?<=")\r\n/)
    .filter(Boolean)
    .map((line) =>
      [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, value = '']) => value.replaceAll('""', '"')),
    );
