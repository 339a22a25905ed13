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
 * Cursor sends no telemetry from a device, but runs hooks for its events. The agent adds hooks that
 * only observe, for all users. Tool checks have their own entries in this file, for other events.
 *
 * https://cursor.com/docs/agent/hooks
 */
export const cursorRecordingFile = (path: string): ManagedFile<Recording> =>
  jsonHookEntries({
    tool: 'Cursor',
    path,
    otherMembers: { version: 1 },
    hookSwitch: null,
    events: cursorRecordedEvents,
    isOurs: isCursorRecordCommand,
    entry: ({ socket }) => ({
      command: cursorRecordCommand(socket),
      timeout: RECORD_TIMEOUT_SECONDS,
      failClosed: false,
    }),
  });
