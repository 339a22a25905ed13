import {
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';
import { PostgresCompiler } from './value-list.ts';

type PostgresConnection = Parameters<PostgresDriver['beginTransaction']>[0];

/**
 * PostgreSQL over connections in pipeline mode, in which a statement can be sent while earlier ones
 * are still running. Kysely sends the statements of a transaction one after another, so only
 * `begin` makes use of it.
 */
export class PipeliningDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new PipeliningDriver(this.#config);
  }

  override createQueryCompiler(): PostgresCompiler {
    return new PostgresCompiler();
  }
}

class PipeliningDriver extends PostgresDriver {
  readonly #begun = new WeakMap<DatabaseConnection, Promise<void>>();

  /** Sends `begin` without waiting, so that it costs no round trip of its own. */
  override beginTransaction(
    connection: PostgresConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    const begun = super.beginTransaction(connection, settings);
    // `begin` fails with its connection, and then so do the statements after it. (An operator who
    // cancels exactly this statement would leave the next one outside of the transaction.)
    begun.catch(() => undefined);
    this.#begun.set(connection, begun);
    return Promise.resolve();
  }

  override async commitTransaction(connection: PostgresConnection): Promise<void> {
    await this.#begun.get(connection);
    await super.commitTransaction(connection);
  }
}
