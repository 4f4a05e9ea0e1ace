import { type Context, createContext, Script } from 'node:vm';
import type { Milliseconds } from '../../kernel/clock.ts';

let vm: { script: Script; context: Context } | undefined;

/**
 * Runs a function, and stops it after a time. V8 interrupts all code that it calls, regular expressions included. Returns
 * `'stopped'` if it had not ended.
 */
export function runInTime<Result>(run: () => Result, timeout: Milliseconds): Result | 'stopped' {
  vm ??= { script: new Script('run()'), context: createContext({}) };
  const { script, context } = vm;
  context.run = run;
  try {
    return script.runInContext(context, { timeout });
  } catch (error) {
    if (isTimeout(error)) return 'stopped';
    throw error;
  } finally {
    context.run = undefined;
  }
}

/** Reports whether the script was stopped. Its error comes from the other realm, so `instanceof` fails. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
