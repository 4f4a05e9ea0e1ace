import { finished, type Layout, notes, SERVER_END, SERVER_START } from './layouts.ts';
import { isMembers, type Members, type Value } from './server-parts.ts';

/** Writes a configuration as JSON, with comments and trailing commas if the layout has them. */
export function writeJson(root: Members, servers: Members, layout: Layout): { text: string; outside: string[] } {
  const { indent, hasTrailingCommas, hasListsOnLines, way } = layout;
  const note = notes();
  const has = (place: Layout['comments'][number]) => layout.comments.includes(place);
  const hasLine = (place: Layout['comments'][number]) => indent !== undefined && has(place);
  const blank = indent === undefined && way % 2 === 0 ? '' : ' ';
  const lineAt = (depth: number) =>
    indent ? `\n${Array.from({ length: depth }, (_, at) => indent[at % indent.length]).join('')}` : blank;

  const write = (value: Value, depth: number): string => {
    if (Array.isArray(value)) return writeList(value, depth);
    if (!isMembers(value)) return spelled(value, way);
    const items = Object.entries(value).map(([name, one], index) => {
      const written = write(one, depth + 1);
      const before = has('before a value') && index % 2 === 0 ? `/* ${note()} */ ` : '';
      return `${spelled(name, way)}:${blank}${before}${value === servers ? SERVER_START + written + SERVER_END : written}`;
    });
    if (items.length === 0) return value === servers && hasLine('after the last member') ? '{ /* none */ }' : '{}';
    const off = value === servers && hasLine('server that is commented out');
    const old = off ? `${lineAt(depth + 1)}// "old": { "command": "npx", "args": ["old"] },` : '';
    return `{${old}${lined(items, depth)}}`;
  };

  const writeList = (list: readonly Value[], depth: number): string => {
    const items = list.map((one) => write(one, depth + 1));
    if (indent && hasListsOnLines && items.length > 0) return `[${lined(items, depth)}]`;
    const comment = has('in a list') ? `/* ${note()} */${items.length > 0 ? ' ' : ''}` : '';
    return `[${comment}${items.join(`,${blank}`)}${hasTrailingCommas && items.length > 0 ? ',' : ''}]`;
  };

  const lined = (items: readonly string[], depth: number): string => {
    const lines = items.map((item, index) => {
      const isLast = index === items.length - 1;
      const line = hasLine('line before a member') && index % 2 === 0 ? `${lineAt(depth + 1)}// ${note()}` : '';
      const block = has('block before a member') && index % 2 === 1 ? `/* ${note()} */ ` : '';
      const inside = has('block at the end of a line') && index % 2 === way % 2 ? ` /* ${note()} */` : '';
      const comma = isLast && !hasTrailingCommas ? '' : ',';
      const end = hasLine('end of a line') && index % 2 === depth % 2 ? ` // ${note()}` : '';
      return `${line}${lineAt(depth + 1)}${block}${item}${inside}${comma}${end}`;
    });
    const last = hasLine('after the last member') ? `${lineAt(depth + 1)}// ${note()}` : '';
    return `${lines.join('')}${last}${lineAt(depth)}`;
  };

  const first = hasLine('first line') ? `// ${note()}\n` : '';
  const last = has('last line') ? `\n/* ${note()}\n   on two lines */` : '';
  return finished(`${first}${write(root, 0)}${last}`, layout);
}

/** Writes a value, in some layouts with escapes where they are not needed. */
function spelled(value: Value, way: number): string {
  const text = JSON.stringify(value);
  return way % 6 === 4 && typeof value === 'string' ? text.replaceAll('/', '\\/').replaceAll('ö', '\\u00f6') : text;
}
