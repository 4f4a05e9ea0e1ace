import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../kernel/package-info.ts';
import type { ReportAssets } from './html.ts';

/** Style sheets. Later ones override earlier ones. */
const STYLES = ['base', 'head', 'rows', 'calls', 'sequence', 'tools', 'details', 'help', 'media'];

/** Reads the bundled script and the style sheets of the page. */
export function readAssets(): ReportAssets {
  const read = (...path: string[]) => readFileSync(join(PACKAGE, ...path), 'utf8');
  return {
    script: read('dist', 'report', 'page.js'),
    style: STYLES.map((name) => read('assets', 'report', `${name}.css`)).join('\n'),
  };
}
