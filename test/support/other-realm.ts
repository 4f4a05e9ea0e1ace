import { createContext, runInContext } from 'node:vm';

/** A context with globals of its own, as Jest runs tests and their modules in. */
const context = createContext({ Buffer: undefined });

/** Evaluates an expression in another realm: its `Error`, `RegExp`, `Promise` and the like are not those of the test. */
export function inOtherRealm<Value>(expression: string): Value {
  return runInContext(`(${expression})`, context) as Value;
}
