import { afterAll, beforeAll } from 'vitest';
import { createWorkshop, type Workshop } from '../../testing/workshop.ts';
import { inspectPackage, type InspectOptions } from '../inspect-package.ts';
import { craftArchive, type CraftedArchive } from './craft-archive.ts';
import { craftProduct } from './craft-component.ts';

/** Inspects packages that a test describes. */
export function setUpInspection() {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await createWorkshop();
  });
  afterAll(() => workshop[Symbol.asyncDispose]());

  let count = 0;
  async function inspect(bytes: Uint8Array, options: InspectOptions = { allowUnsigned: true }) {
    const path = await workshop.write(`package-${(count += 1)}`, bytes);
    return inspectPackage(path, options);
  }

  async function problemsOf(archive: Partial<CraftedArchive>, options?: InspectOptions) {
    const bytes = await craftArchive({ files: craftProduct(), ...archive });
    return (await inspect(bytes, options)).problems;
  }

  return {
    get workshop() {
      return workshop;
    },
    inspect,
    problemsOf,
  };
}
