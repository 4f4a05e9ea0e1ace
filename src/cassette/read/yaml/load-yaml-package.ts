import { createRequire } from 'node:module';

/** The `yaml` package, loaded when the first text comes up that our own reader leaves to it. */
export function yamlPackage(): typeof import('yaml') {
  loaded ??= require('yaml') as typeof import('yaml');
  return loaded;
}

const require = createRequire(import.meta.url);
let loaded: typeof import('yaml') | undefined;
