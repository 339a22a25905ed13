import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
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
