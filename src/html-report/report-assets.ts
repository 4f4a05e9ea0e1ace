import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../kernel/package-info.ts';
import type { ReportAssets } from './html-page.ts';

/** Style sheets. Later ones override earlier ones. */
const STYLES = ['base', 'head', 'rows', 'calls', 'sequence', 'tools', 'details', 'help', 'media'];

/** Reads the bundled script and the style sheets of the report page. */
export function readAssets(): ReportAssets {
  return assetsOf('page', STYLES);
}

/** Reads those of the live page. */
export function readLiveAssets(): ReportAssets {
  return assetsOf('live', [...STYLES, 'live', 'work']);
}

function assetsOf(script: string, styles: readonly string[]): ReportAssets {
  const read = (...path: string[]) => readFileSync(join(PACKAGE, ...path), 'utf8');
  return {
    script: read('dist', 'report', `${script}.js`),
    style: styles.map((name) => read('assets', 'report', `${name}.css`)).join('\n'),
  };
}
