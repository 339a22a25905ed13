import 'reflect-metadata';
import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { readProfile } from '../support/device.ts';
import { setUpEnrollment } from '../support/enrollment.ts';

const HOUR = 3_600_000;

describe.each(databases)('enrollment on %s', (kind) => {
  const world = setUpEnrollment(kind);
  const { putSettings, newComputer, enroll, errorLineOf } = world;

  test('a computer can enroll ten times in a row, then every thirty seconds', async () => {
    const now = Date.now();
    world.service.setTime(now);
    const one = await newComputer('hardware-restless');
    for (let i = 0; i < 10; i += 1) await enroll(one);
    const refused = await enroll(one).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      status: 429,
      retryAfter: 30,
      message: 'too many enrollment attempts of this computer: try again in 30 seconds',
    });
    await enroll(await newComputer('hardware-patient'));
    world.service.setTime(now + 30_000);
    await enroll(one);
  });

  test('a profile enrolls a limited number of new computers per hour; known ones can enroll again', async () => {
    await putSettings({ new_devices_per_hour: 2 });
    const { apiKey } = await readProfile(world.service);
    const now = Date.now();
    world.service.setTime(now);
    const first = await newComputer('hardware-hour-1');
    await enroll(first, apiKey);
    await enroll(await newComputer('hardware-hour-2'), apiKey);
    const third = await newComputer('hardware-hour-3');
    expect(await errorLineOf(enroll(third, apiKey))).toBe(
      '429 this API key has enrolled 2 new devices within an hour: try again in 300 seconds',
    );
    await enroll(first, apiKey);
    // Enrolling a known computer with another profile's key does not free a place.
    await enroll(first, world.profile.apiKey);
    expect(await errorLineOf(enroll(third, apiKey))).toMatch(/^429/);
    // Each profile has a separate limit.
    await enroll(await newComputer('hardware-hour-4'), (await readProfile(world.service)).apiKey);
    world.service.setTime(now + HOUR + 1000);
    await enroll(third, apiKey);
    await putSettings({});
  });
});
