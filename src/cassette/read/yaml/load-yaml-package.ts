import { createRequire } from 'node:module';

/**
 * Loads the `yaml` package on first use, because the fast reader handles most cassettes. `load-yaml-package-in-browser.ts`
 * has it from the start.
 */
export function yamlPackage(): typeof import('yaml') {
  loaded ??= require('yaml') as typeof import('yaml');
  return loaded;
}

const require = createRequire(import.meta.url);
let loaded: typeof import('yaml') | undefined;
