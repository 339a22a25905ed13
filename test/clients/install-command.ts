import { clientsInCi } from './clients.ts';
import { install } from './environment.ts';

/**
 * `npm run real-clients`: installs the clients of the table that tests run, if they are missing.
 */
for (const client of clientsInCi)
  try {
    install(client);
  } catch (error) {
    console.error(`real-clients: ${client.name}: ${(error as Error).message}`);
    process.exit(1);
  }
console.log(`${clientsInCi.length} real clients are installed`);
