import {
  cursorRecordCommand,
  cursorRecordedEvents,
  isCursorRecordCommand,
  RECORD_TIMEOUT_SECONDS,
} from '#agent/core/coding-agents/cursor-record-command.ts';
import type { ManagedFile } from '#agent/core/coding-agents/managed-file.ts';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { jsonHookEntries } from '../json-hook-entries.ts';

/**
 * Cursor exports no telemetry from a device. Its hooks for all users tell what happens, so the agent
 * adds entries that only observe. Tool checks have their own entries, of other events, in this file.
 *
 * https://cursor.com/docs/agent/hooks
 */
export const cursorRecordingFile = (path: string): ManagedFile<Recording> =>
  jsonHookEntries({
    tool: 'Cursor',
    path,
    otherMembers: { version: 1 },
    events: cursorRecordedEvents,
    isOurs: isCursorRecordCommand,
    entry: ({ socket }) => ({
      command: cursorRecordCommand(socket),
      timeout: RECORD_TIMEOUT_SECONDS,
      failClosed: false,
    }),
  });
