import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../kernel/package-info.ts';
import type { ReportAssets } from './html.ts';
import { joinModules } from './join-modules.ts';

/** Style sheets. Later ones override earlier ones. */
const STYLES = ['base', 'toolbar', 'diagram', 'row', 'lanes', 'details', 'help', 'media'];

/** Reads the compiled script and the style sheets of the page. */
export function readAssets(): ReportAssets {
  const read = (...path: string[]) => readFileSync(join(PACKAGE, ...path), 'utf8');
  return {
    script: joinModules('html-report/browser/main.js', (path) => read('dist', path)),
    style: STYLES.map((name) => read('assets', 'report', `${name}.css`)).join('\n'),
  };
}
