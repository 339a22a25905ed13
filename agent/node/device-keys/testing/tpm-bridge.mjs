// Connects its standard input and output to a socket, for the TCTI `cmd` of tpm2-tss.
import { connect } from 'node:net';

process.stdin.pipe(connect(process.argv[2])).pipe(process.stdout);
