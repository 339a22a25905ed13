import { describe, expect, test } from 'vitest';
import { appendMany, setUpAudited } from '../support/audit-log.ts';
import { DAY_MS, EPOCH, isoOf, sampleEntries } from '../support/audit-entries.ts';
import { databases } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';

describe.each(databases)('exports of the audit log on %s', (kind) => {
  const world = setUpAudited(kind);
  const { list, subTenant } = world;

  const finished = (client: typeof world.service.byKey, export_id: string) =>
    pollUntil(
      () => client.audit.findAuditExport({ params: { export_id } }),
      ({ status }) => status !== 'processing',
    );

  const exported = async (
    format: 'json' | 'csv' | 'ndjson',
    dates: { start_date?: string; end_date?: string },
  ) => {
    const auditExport = await world.service.byKey.audit.startAuditExport({
      body: { format, ...dates },
    });
    expect(auditExport).toMatchObject({ status: 'processing', download_url: null });
    const done = await finished(world.service.byKey, auditExport.export_id);
    expect(done).toMatchObject({ status: 'completed', error: null, format });
    const response = await fetch(done.download_url ?? '');
    expect([response.status, response.headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="audit-${auditExport.export_id}.${format}"`,
    ]);
    return { done, type: response.headers.get('content-type'), text: await response.text() };
  };

  test('each format contains the entries of a range, in the order of the list', async () => {
    await appendMany(world.service.storage, world.service.tenantId, sampleEntries(300));
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

  test('a range without entries results in an empty file', async () => {
    const dates = { start_date: '2001-01-01', end_date: '2001-01-02' };
    expect(JSON.parse((await exported('json', dates)).text)).toEqual([]);
    expect((await exported('ndjson', dates)).text).toBe('');
  });

  test('a table is safe for spreadsheets', async () => {
    const at = Date.UTC(2010, 0, 1);
    const odd = ['=HYPERLINK("x")', '+1', '-1', '@x', '\t=1', 'a "b", c', 'two\nlines', 'plain'];
    await appendMany(
      world.service.storage,
      world.service.tenantId,
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

  test('the link is for one file, expires after an hour and reveals nothing else', async () => {
    const { done } = await exported('json', { end_date: '2001-01-01' });
    const link = new URL(done.download_url ?? '');
    const params = { export_id: done.export_id };
    const query = Object.fromEntries(link.searchParams) as Record<'tenant' | 'signature', string>;
    const expires = Number(link.searchParams.get('expires'));
    const download = (change: object, of = params) =>
      world.service
        .by({})
        .audit.downloadAuditExport({ params: of, query: { ...query, expires, ...change } });
    const refused = { status: 403, message: expect.stringMatching(/^this link is invalid/) };
    expect(await download({})).toBe('[]\n');
    await expect(download({ expires: expires + 1 })).rejects.toMatchObject(refused);
    await expect(download({ tenant: 'tnt_other' })).rejects.toMatchObject(refused);
    await expect(download({ signature: 'f'.repeat(64) })).rejects.toMatchObject(refused);
    await expect(download({ signature: 'ü' })).rejects.toMatchObject(refused);
    await expect(download({}, { export_id: 'exp_1' })).rejects.toMatchObject(refused);
    world.service.setTime(expires * 1000);
    await expect(download({})).rejects.toMatchObject(refused);
    world.service.setTime(undefined);
  });

  /**
   * Creates a sub-tenant with the add-on and an exported file, and a function that opens the link.
   */
  const withFile = async (by = world.service.byKey) => {
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
      await world.service.byKey.subTenants.suspendSubTenant({ params, body: {} });
      expect(await download()).toEqual([403, expect.stringContaining('is suspended')]);
      await world.service.byKey.subTenants.resumeSubTenant({ params });
      expect((await download())[0]).toBe(200);
    }
  });

  test('without the add-on, both the state of an export and its link are refused', async () => {
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

  test('a file is deleted after a day, with all its parts', async () => {
    const { done } = await exported('json', { end_date: '2001-01-01' });
    const { export_id } = done;
    expect(Date.parse(done.expires_at) - Date.parse(done.created_at)).toBe(DAY_MS);
    world.service.setTime(Date.now() + DAY_MS + 1000);
    const { db } = world.service.storage;
    await pollUntil(
      () => db.selectFrom('audit_exports').select('id').where('id', '=', export_id).execute(),
      (rows) => rows.length === 0,
    );
    const chunks = db.selectFrom('audit_export_chunks').where('export_id', '=', export_id);
    expect(await chunks.select('number').execute()).toEqual([]);
    world.service.setTime(undefined);
    const gone = world.service.byKey.audit.findAuditExport({ params: { export_id } });
    await expect(gone).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test('an unreadable entry makes the export fail with an error that names the entry', async () => {
    const at = { created_at: Date.UTC(2011, 0, 1), id: `aud_odd_${kind}` };
    await appendMany(world.service.storage, world.service.tenantId, [
      { ...at, metadata: 'not JSON' },
    ]);
    const { export_id } = await world.service.byKey.audit.startAuditExport({
      body: { start_date: '2011-01-01', end_date: '2011-01-02' },
    });
    expect(await finished(world.service.byKey, export_id)).toMatchObject({
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
  ])('an export of %j is rejected', async (body, message) => {
    const auditExport = world.service.byKey.audit.startAuditExport({ body: body as never });
    await expect(auditExport).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    });
  });

  test('an export that does not exist is not found', async () => {
    const params = { export_id: 'exp_unknown' };
    const auditExport = world.service.byKey.audit.findAuditExport({ params });
    await expect(auditExport).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });
});

/** Parses rows according to RFC 4180 whose values are all quoted. */
const readCsv = (text: string): string[][] =>
  text
    .split(/(?<=")\r\n/)
    .filter(Boolean)
    .map((line) =>
      [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, value = '']) => value.replaceAll('""', '"')),
    );
