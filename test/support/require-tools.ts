import { missingTools } from './tools.ts';

/**
 * Fails the run if a tool is missing and all tools are required, as in CI: a skipped test would
 * hide an incomplete installation.
 */
export default function setup(): void {
  if (process.env.REQUIRE_TEST_TOOLS !== 'true') return;
  const names = missingTools.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  if (names.length > 0)
    throw new Error(`REQUIRE_TEST_TOOLS=true, and there is no ${names.join(', ')} here`);
}
