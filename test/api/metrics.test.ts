import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIVE_PATH } from '#contract/live.ts';
import {
  API_KEY,
  OWNER,
  startTestControlPlane,
  type TestControlPlane,
} from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { enrollDevice } from '../support/device.ts';
import { openChannel } from '../support/device-channel.ts';

const TOKEN = 'a-token-for-prometheus';
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

describe.each(databases)('metrics on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind, { METRICS_TOKEN: TOKEN });
  });
  afterAll(() => service.stop());

  /** Returns the values by name and labels, as text. */
  const scrape = async (): Promise<Map<string, number>> => {
    const text = await service.by(bearer(TOKEN)).service.metrics();
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    for (const line of lines)
      expect(line).toMatch(/^[a-z_]+(\{([a-z]+="[^"\n]*",?)+\})? -?[\d.e+-]+$/);
    return new Map(
      lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]),
    );
  };

  test('require the token', async () => {
    const { token } = await service.by({}).identity.login({ body: OWNER });
    const others = [{}, bearer('another-token-of-that'), bearer(API_KEY), bearer(token)];
    for (const headers of others)
      await expect(service.by(headers).service.metrics()).rejects.toMatchObject({ status: 401 });
    const response = await fetch(`${service.urls.public}/metrics`, { headers: bearer(TOKEN) });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
  });

  test('count requests by route and never by path', async () => {
    const before = await scrape();
    for (const id of ['900001', '900002', '900003'])
      await service.byOwner.runs.getRun({ params: { id } }).catch(() => undefined);
    for (const path of ['/x1', '/x2/y']) await fetch(`${service.urls.public}${path}`);
    const after = await scrape();
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    const route = 'route="/api/v1/observability/runs/{id}/",method="GET"';
    expect(grown(`gatehouse_http_requests_total{${route},status="404"}`)).toBe(3);
    expect(grown(`gatehouse_http_request_duration_seconds_count{${route}}`)).toBe(3);
    expect(grown(`gatehouse_http_request_duration_seconds_bucket{${route},le="+Inf"}`)).toBe(3);
    expect(grown('gatehouse_http_requests_total{route="/…",method="GET",status="404"}')).toBe(2);
    expect([...after.keys()].join()).not.toMatch(/90000|x1/);
  });

  test('contain values of the process, its connections and its database', async () => {
    const device = await enrollDevice(service, 'hardware-metrics');
    const line = await openChannel(service.urls.device, device.tls);
    const { token } = await service.by({}).identity.login({ body: OWNER });
    const live = new WebSocket(service.urls.public.replace('http', 'ws') + LIVE_PATH, {
      headers: bearer(token),
    });
    await new Promise((resolve) => live.once('open', resolve));
    await scrape();
    const values = await scrape();
    expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(values.get('process_start_time_seconds')).toBeCloseTo(
      Date.now() / 1000 - process.uptime(),
      -2,
    );
    expect(values.get('gatehouse_event_loop_lag_seconds{quantile="0.99"}')).toBeLessThan(60);
    expect(values.get('gatehouse_device_channels')).toBe(1);
    expect(values.get('gatehouse_live_connections')).toBe(1);
    expect(values.get('gatehouse_connections{listener="device"}')).toBeGreaterThan(0);
    expect(values.get('gatehouse_recording_waiting')).toBe(0);
    const pools = [...values.keys()].filter((name) => name.includes('database_connections'));
    expect(pools).toHaveLength(kind === 'postgres' ? 6 : 0);
    expect([...values.keys()].some((name) => /build_info\{version="\d/.test(name))).toBe(true);
    live.terminate();
    line.socket.terminate();
  });
});
