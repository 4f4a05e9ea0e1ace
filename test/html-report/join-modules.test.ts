import { expect, it } from 'vitest';
import { joinModules } from '../../src/html-report/join-modules.ts';

const join = (files: Record<string, string>) => joinModules('page/main.js', (path) => files[path]!);

it('each module stands once, after what it needs', () => {
  const script = join({
    'page/main.js': "import { a } from './a.js';\nimport { b } from '../b.js';\na(b);\nexport {};\n",
    'page/a.js': "import { b } from '../b.js';\nexport function a() { return b; }\n",
    'b.js': 'export const b = 1;\n',
  });
  expect(script).toBe('const b = 1;\nfunction a() { return b; }\na(b);\n');
});

it('what cannot be joined is an error, and not a page that does nothing', () => {
  expect(() => join({ 'page/main.js': "import * as a from './a.js';\n" })).toThrow(
    'Cannot join page/main.js: "import * as a',
  );
  expect(() => join({ 'page/main.js': 'export default 1;\n' })).toThrow('export default 1;');
});
