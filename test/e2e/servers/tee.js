#!/usr/bin/env node
/**
 * `tee.js FILE COMMAND…`: a server behind a wire tap, which writes what the server heard to FILE.in, what it said to
 * FILE.out, and how it ended to FILE.exit.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';

const [file, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });

copy(process.stdin, child.stdin, `${file}.in`);
copy(child.stdout, process.stdout, `${file}.out`);
child.on('exit', (code, signal) => {
  writeFileSync(`${file}.exit`, String(code ?? signal));
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});

function copy(from, to, log) {
  writeFileSync(log, '');
  from.on('data', (chunk) => appendFileSync(log, chunk));
  from.pipe(to);
}
