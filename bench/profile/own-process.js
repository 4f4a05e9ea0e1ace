/** A workload that is a program: it watches itself, and says when and what it worked. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What `watched` told in `bench/profile/SCRIPT ARGS`, run with these options of `node`. */
export async function spanOf(options, script, ...args) {
  const { stdout } = await run(process.execPath, [...options, join(import.meta.dirname, script), ...args.map(String)]);
  return JSON.parse(stdout);
}
