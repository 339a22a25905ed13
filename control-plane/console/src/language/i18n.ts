import { I18n } from '@lingui/core';
import type { MessageDescriptor, MessageId, MessageOptions } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';

type Values = Record<string, unknown>;
export type Compile = typeof compileMessage;

/** Inserted after a backslash in a value, so that Lingui does not decode it. */
const GUARD = '\uE000';

/** Protects values: Lingui decodes escapes such as `\u202E` in the finished message. */
const guard = (values: Values | undefined): Values | undefined =>
  values &&
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(/\\(?=[ux])/g, `\\${GUARD}`) : value,
    ]),
  );

class ConsoleI18n extends I18n {
  override _(descriptor: MessageDescriptor): string;
  override _(id: MessageId, values?: Values, options?: MessageOptions): string;
  override _(id: MessageDescriptor | MessageId, values?: Values, options?: MessageOptions): string {
    const guarded = guard(typeof id === 'string' ? values : id.values);
    const text =
      typeof id === 'string'
        ? super._(id, guarded, options)
        : super._({ ...id, ...(guarded && { values: guarded }) });
    return text.replaceAll(`\\${GUARD}`, '\\');
  }
}

/**
 * The instance that Lingui's macros use. English needs no catalog, because its messages are in the
 * modules.
 */
export const i18n = new ConsoleI18n({ locale: 'en', messages: { en: {} } });

/** Sets the compiler for messages. Each message is compiled once. */
export function compileWith(compile: (message: string) => ReturnType<Compile>): void {
  const compiled = new Map<string, ReturnType<Compile>>();
  i18n.setMessagesCompiler((message) => {
    const known = compiled.get(message) ?? compile(message);
    compiled.set(message, known);
    return known;
  });
}

compileWith(compileMessage);
