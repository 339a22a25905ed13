import { missingTools } from './tools.ts';

/**
 * Where every tool is meant to be, as in CI, one that is missing fails the run at once: a skipped
 * test would hide a forgotten step of the installation.
 */
export default function setup(): void {
  if (process.env.REQUIRE_TEST_TOOLS !== 'true') return;
  const names = missingTools.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  if (names.length > 0)
    throw new Error(`REQUIRE_TEST_TOOLS=true, and there is no ${names.join(', ')} here`);
}
