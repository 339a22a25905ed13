/** By these bytes tools find the fuses in Electron's program (electron/build/fuses). */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const version = 1;

/** The fuses as Electron ships them: run as Node, NODE_OPTIONS, inspect, file:// and traps are on. */
const shipped = '101100011';

export const standInFuseWire = Buffer.concat([
  Buffer.from(`a stand-in for Electron\n${sentinel}`),
  Buffer.from([version, shipped.length]),
  Buffer.from(shipped),
]);
