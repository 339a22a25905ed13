// Imported before any program: what runs TypeScript directly and has the database binary's ABI.
const needed = 24;
const [major] = process.versions.node.split('.').map(Number);
if (major < needed) {
  process.stderr.write(
    `gatehouse: Node ${needed} is needed, this is ${process.versions.node}: start with npm run, which brings its own (after npm ci)\n`,
  );
  process.exit(1);
}
