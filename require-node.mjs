import module from 'node:module';

// Imported before any program: what runs TypeScript directly and has the database binary's ABI.
const NEEDED = 24;
const [major] = process.versions.node.split('.').map(Number);
if (major < NEEDED) {
  process.stderr.write(
    `gatehouse: Node ${NEEDED} is needed, this is ${process.versions.node}: start with npm run, which brings its own (after npm ci)\n`,
  );
  process.exit(1);
}

// Types are stripped and code is compiled once: later starts take half as long. Where nothing can
// be written it goes without.
module.enableCompileCache?.(new URL('node_modules/.cache/compiled', import.meta.url).pathname);
