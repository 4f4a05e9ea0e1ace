import type { CST } from 'yaml';
import type { Span } from '../../protocol/json-scan.ts';
import { yamlPackage } from '../read/yaml/load-yaml-package.ts';

/** Returns the spans of all comments in valid YAML text, each from its `#` to its line break. */
export function commentsIn(text: string): Span[] {
  const found: Span[] = [];
  const waiting: unknown[] = [...new (yamlPackage().Parser)().parse(text)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) for (const part of next) waiting.push(part);
    else if (typeof next === 'object' && next !== null) {
      if (isComment(next)) found.push({ start: next.offset, end: next.offset + next.source.length });
      else for (const part of PARTS) if (part in next) waiting.push(next[part as keyof typeof next]);
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Members of a `yaml` package token that contain other tokens. */
const PARTS = ['start', 'items', 'key', 'sep', 'value', 'props', 'end'];

function isComment(token: object): token is CST.SourceToken {
  return (token as CST.Token).type === 'comment';
}
