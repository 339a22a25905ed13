// zod probes `new Function` when the contract's schemas are built, which the browser reports as a
// violation of our Content-Security-Policy. Must be imported before the contract.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
