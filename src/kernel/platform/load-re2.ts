import { createRequire } from 'node:module';

/** Loads RE2 on first use, because most runs need no expression. `load-re2-in-browser.ts` has it from the start. */
export function re2(): typeof import('re2js') {
  loaded ??= require('re2js') as typeof import('re2js');
  return loaded;
}

const require = createRequire(import.meta.url);
let loaded: typeof import('re2js') | undefined;
