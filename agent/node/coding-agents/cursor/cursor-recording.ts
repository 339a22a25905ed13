import type { CodingAgentLevel } from '#contract/guard.ts';
import { readCursorEvent } from './cursor-event.ts';
import { cursorOtlpBody, type CursorSpan } from './cursor-spans.ts';
import { createCursorTurns, CURSOR_SETTLE_MS } from './cursor-turns.ts';
import { openRecordedTokens } from './recorded-tokens.ts';
import { startLoop } from '#lib/loop.ts';
import { InvalidRequest, type RequestHandler } from '../../tool-checks/decision-socket.ts';
import {
  type OtlpExportOptions,
  sizeOfTexts,
  startOtlpExport,
} from '../../tool-checks/otlp-export.ts';

export interface CursorRecordingOptions extends Omit<
  OtlpExportOptions<CursorSpan>,
  'part' | 'bodyOf' | 'sizeOf'
> {
  /** The file with the recorded tokens of open turns. */
  file: string;
  /** What may be recorded now. */
  level: () => CodingAgentLevel;
  /** Calls the listener when the level may have changed. */
  onLevelChange: (listener: () => void) => void;
  /** Returns the name of a person; null if the user is not known, or root. */
  userName: (uid: number | null) => string | null;
}

export interface CursorRecording {
  /** Takes an event of a hook. */
  record: RequestHandler;
  stop: () => Promise<void>;
}

/** Records the events of Cursor's hooks as spans, which it sends like those of gateways. */
export function startCursorRecording(options: CursorRecordingOptions): CursorRecording {
  const { file, level, onLevelChange, userName, ...exporting } = options;
  const tokens = openRecordedTokens(file);
  let turns = createCursorTurns(tokens.of);
  const exported = startOtlpExport<CursorSpan>({
    ...exporting,
    part: 'cursor',
    bodyOf: (spans, recording) => cursorOtlpBody(spans, recording.level),
    sizeOf,
    onRecorded: (spans) => {
      tokens.add(spans);
      exporting.onRecorded(spans);
    },
  });
  /** Nothing of what was observed before may be sent later. */
  const dropIfOff = (): void => {
    if (level() !== 'off') return;
    turns = createCursorTurns(tokens.of);
    exported.clear();
  };
  const settle = (now: number): void => {
    dropIfOff();
    for (const span of turns.settle(now)) exported.add(span);
  };
  const loop = startLoop(async () => {
    settle(Date.now());
    // Without a wait, this only notices a level that changed without a call of the listener.
    return turns.isWaiting() ? CURSOR_SETTLE_MS : turns.isEmpty() ? null : exporting.retryMs;
  });
  onLevelChange(dropIfOff);
  return {
    record: async (payload, uid) => {
      const current = level();
      if (current === 'off') {
        dropIfOff();
        return {};
      }
      const event = readCursorEvent(payload, current);
      if (event === 'skip') return {};
      if ('error' in event) throw new InvalidRequest(event.error);
      const user = event.user ?? userName(uid);
      for (const span of turns.observe({ ...event, user }, Date.now())) exported.add(span);
      loop.wake();
      return {};
    },
    stop: async () => {
      await loop.stop();
      settle(Infinity);
      await exported.stop();
    },
  };
}

/** The size of a span without its texts. */
const SPAN_BYTES = 1000;

const sizeOf = ({ texts }: CursorSpan): number =>
  SPAN_BYTES + sizeOfTexts([...Object.values(texts.prompts), ...Object.values(texts.tools)]);
