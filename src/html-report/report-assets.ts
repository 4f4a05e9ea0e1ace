import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../kernel/installed-package.ts';
import type { ReportAssets, ViewerAssets } from './html-page.ts';

/** Style sheets. Later ones override earlier ones. */
const STYLES = ['base', 'head', 'rows', 'calls', 'sequence', 'tools', 'details', 'help', 'media'];

/** Reads the bundled script and the style sheets of the report page. */
export function readAssets(): ReportAssets {
  return assetsOf('page', STYLES);
}

/** Reads the assets of the live page. */
export function readLiveAssets(): ReportAssets {
  return assetsOf('live', [...STYLES, 'live', 'work']);
}

/** Reads the assets of the load page. */
export function readLoadAssets(): ReportAssets {
  return assetsOf('load', ['base', 'head', 'load']);
}

/** Reads the assets of the page that opens cassettes, including its worker script. */
export function readViewerAssets(): ViewerAssets {
  const worker = readFileSync(join(PACKAGE, 'dist', 'report', 'viewer-worker.js'), 'utf8');
  return { ...assetsOf('viewer', [...STYLES, 'viewer']), worker };
}

function assetsOf(script: string, styles: readonly string[]): ReportAssets {
  const read = (...path: string[]) => readFileSync(join(PACKAGE, ...path), 'utf8');
  return {
    script: read('dist', 'report', `${script}.js`),
    style: styles.map((name) => read('assets', 'report', `${name}.css`)).join('\n'),
  };
}
