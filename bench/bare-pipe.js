// The least that a process between a client and a server can do: forward, with node:child_process alone.
import { spawn } from 'node:child_process';

const [, , command, ...args] = process.argv;
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.on('exit', (status) => process.exit(status ?? 1));
