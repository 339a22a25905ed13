// zod probes `new Function` when the contract's schemas are built; under our
// Content-Security-Policy the browser reports that as a violation. Imported before the contract.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
