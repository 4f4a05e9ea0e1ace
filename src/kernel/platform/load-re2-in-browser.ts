import * as re2js from 're2js';

/** As in `load-re2.ts`. */
export function re2(): typeof re2js {
  return re2js;
}
