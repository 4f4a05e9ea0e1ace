import { messageOf } from '../../kernel/errors.ts';
import { printable } from '../../text-report/printable-text.ts';

/** A check that throws what is wrong. */
type Check = () => Promise<void>;

const checks = new Set<Check>();
let isListening = false;

/**
 * Runs a check when the process has nothing left to do. What the check throws goes to standard error, and makes the exit status 1. The returned function
 * takes the check back.
 */
export function checkAtEndOfProcess(check: Check): () => void {
  checks.add(check);
  if (!isListening) process.on('beforeExit', () => void runChecks());
  isListening = true;
  return () => void checks.delete(check);
}

async function runChecks(): Promise<void> {
  for (const check of checks) {
    checks.delete(check);
    try {
      await check();
    } catch (error) {
      const lines = messageOf(error).split('\n').map(printable);
      console.error(`mcp-record: ${lines.join('\n')}`);
      process.exitCode ||= 1;
    }
  }
}
