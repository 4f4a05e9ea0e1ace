import * as yaml from 'yaml';

/** Returns the package `yaml`, which a page holds already. Stands for `load-yaml-package.ts`, which loads it late. */
export function yamlPackage(): typeof yaml {
  return yaml;
}
