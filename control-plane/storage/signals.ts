import { EventEmitter } from 'node:events';

/** Something changed that other parts, perhaps in other processes, want to know of. */
export interface Signal {
  tenant_id: string;
  topic:
    | 'devices'
    | 'apps'
    | 'flows'
    | 'captures'
    | 'guard'
    | 'identities'
    | 'runs'
    | 'settings'
    | 'keys'
    | 'policies'
    | 'prompts'
    | 'tenants';
  device_id?: string;
  run_id?: number;
}

/** Signals are hints: they may be lost, so whoever depends on one also polls. */
export interface Signals {
  publish(signal: Signal): void;
  subscribe(listener: (signal: Signal) => void): () => void;
}

/** Signals within one process. */
export function localSignals(): Signals {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    publish: (signal) => void emitter.emit('signal', signal),
    subscribe(listener) {
      emitter.on('signal', listener);
      return () => void emitter.off('signal', listener);
    },
  };
}
