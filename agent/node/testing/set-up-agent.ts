import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { AgentRuntime } from '../start-agent.ts';
import { startTestControlPlane, type TestControlPlane } from './control-plane.ts';
import { createManagedTestComputer, type TestComputer } from './test-computer.ts';

/** Sets up a control plane and a computer for each test. */
export function setUpAgent() {
  let plane: TestControlPlane;
  let place: TestComputer;
  beforeEach(async () => {
    plane = await startTestControlPlane();
    place = createManagedTestComputer(plane);
  });
  afterEach(async () => {
    await place[Symbol.asyncDispose]();
    await plane.stop();
  });

  const stored = (name: string): string => readFileSync(join(place.stateDir, name), 'utf8');
  const names = (): string[] => readdirSync(place.stateDir).sort();

  return {
    get plane() {
      return plane;
    },
    set plane(value) {
      plane = value;
    },
    get place() {
      return place;
    },
    stored,
    names,
  };
}

/** Waits until the check passes. */
export const until = (check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(check, { interval: 20 });

/** Waits until the agent is enrolled and connected. */
export const enrolled = (agent: AgentRuntime): Promise<void> =>
  until(() => expect(agent.status()).toMatchObject({ phase: 'enrolled', connected: true }));
