import { posix } from 'node:path';

const IMPORT = /^import\s+(?:type\s+)?\{[^}]*\}\s+from\s+'([^']+)';\n/gm;
const EXPORT = /^export\s+(?=(?:async\s+)?(?:function|const|class)\b)/gm;

/**
 * One script of a module and all that it imports, as the compiler wrote them: each once, after those it needs. Names at
 * the top of the modules must differ, since they come to share one scope. `read` gives the text of a path.
 * @throws Error for an import or export of another form than `import { a } from './b.js'` and `export function a`
 */
export function joinModules(entry: string, read: (path: string) => string): string {
  const seen = new Set<string>();
  const parts: string[] = [];
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = read(path);
    for (const [, specifier] of text.matchAll(IMPORT)) visit(posix.join(posix.dirname(path), specifier!));
    const body = text
      .replace(IMPORT, '')
      .replace(EXPORT, '')
      .replace(/^export \{\};\n/m, '');
    const rest = /^(?:import|export)\b.*/m.exec(body);
    if (rest) throw new Error(`Cannot join ${path}: "${rest[0]}"`);
    parts.push(body.trim());
  };
  visit(entry);
  return `${parts.join('\n')}\n`;
}
