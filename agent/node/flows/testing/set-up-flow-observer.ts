import { execFileSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { FlowReport } from '#contract/flows.ts';
import { observeFlows } from '../observer.ts';
import type { FlowObserver } from '../observer.ts';
import { SERVER_PROGRAM, waitForExit, firstOutput, DNS_PROGRAM } from './programs.ts';
import { bootSecondMachine } from './second-machine.ts';
import type { SecondMachine } from './second-machine.ts';

/**
 * Sets up a second machine to connect to, and an observer of this one, which end after each test.
 */
export function setUpFlowObserver() {
  let machine: SecondMachine;
  let folder: string;
  let reports: FlowReport[];
  let problems: string[];
  let observer: FlowObserver | undefined;
  let launched: ChildProcess[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'flows-'));
    const key = join(folder, 'key.pem');
    const certificate = join(folder, 'certificate.pem');
    const subject = ['-subj', '/CN=test', '-nodes', '-days', '2', '-newkey', 'ec'];
    const curve = ['-pkeyopt', 'ec_paramgen_curve:P-256'];
    const files = ['-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', ...subject, ...curve, ...files], { stdio: 'ignore' });
    machine = await bootSecondMachine();
    const tls = ['s_server', '-accept', '443', '-cert', certificate, '-key', key, '-www'];
    await firstOutput(machine.start('openssl', tls));
    await firstOutput(machine.start(process.execPath, ['-e', SERVER_PROGRAM]));
    await firstOutput(machine.start(process.execPath, ['-e', DNS_PROGRAM, machine.there]));
  });

  afterAll(async () => {
    await machine?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  beforeEach(() => {
    reports = [];
    problems = [];
    launched = [];
  });

  afterEach(async () => {
    await observer?.stop();
    observer = undefined;
    // Also after a failure, because an open connection would be a flow in the next test.
    for (const child of launched) child.kill('SIGKILL');
    await Promise.all(launched.map(waitForExit));
  });

  async function observe(over: Partial<Parameters<typeof observeFlows>[0]> = {}) {
    observer = await observeFlows({
      stateFile: join(folder, `${Math.random()}.json`),
      intervalMs: 50,
      exclude: () => [],
      appOf: ({ name }) => (name === 'openssl' ? 'openssl-tool' : undefined),
      onReport: (report) => reports.push(report),
      onProblem: (line) => problems.push(line),
      ...over,
    });
    return observer;
  }

  return {
    get machine() {
      return machine;
    },
    get folder() {
      return folder;
    },
    get reports() {
      return reports;
    },
    get problems() {
      return problems;
    },
    get observer() {
      return observer;
    },
    set observer(value) {
      observer = value;
    },
    get launched() {
      return launched;
    },
    observe,
  };
}
