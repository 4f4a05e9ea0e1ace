import { finished, type Layout, notes, pick, SERVER_END, SERVER_START } from './layouts.ts';
import { isMembers, type Members, type Value } from './server-parts.ts';

/** Ways to write a server: a table with tables in it, with inline tables or with dotted keys, or an inline table below one of all servers. */
const SERVER_WAYS = ['tables', 'inline members', 'dotted members', 'inline'] as const;

/** Writes a configuration as TOML. */
export function writeToml(root: Members, servers: Members, layout: Layout): { text: string; outside: string[] } {
  const { hasTrailingCommas, hasListsOnLines, way } = layout;
  const serverWay = pick(SERVER_WAYS, way);
  const indent = layout.indent?.[0] ?? '';
  const note = notes();
  const has = (place: Layout['comments'][number]) => layout.comments.includes(place);
  const endOf = (index: number) => (has('end of a line') && index % 2 === 0 ? `${indent || ' '}# ${note()}` : '');

  const inline = (value: Value): string => {
    if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
    if (!isMembers(value)) return spelled(value, way);
    const entries = Object.entries(value).map(([name, one]) => `${key(name, way)} = ${inline(one)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  };
  const list = (items: readonly Value[], pad: string): string => {
    if (!hasListsOnLines) return `[${has('in a list') ? ` # ${note()}\n${pad}  ` : ''}${items.map(inline).join(', ')}]`;
    const lines = items.map((one, index) => {
      const comma = index < items.length - 1 || hasTrailingCommas ? ',' : '';
      return `\n${pad}  ${inline(one)}${comma}${has('in a list') && index % 2 === 0 ? ` # ${note()}` : ''}`;
    });
    return `[${lines.join('')}\n${pad}]`;
  };
  const entries = (members: Members, path = ''): string[] =>
    Object.entries(members).flatMap(([name, value], index) => {
      const dotted = path + key(name, way);
      if (isMembers(value) && serverWay === 'dotted members' && Object.keys(value).length > 0)
        return entries(value, `${dotted}.`);
      const before = has('line before a member') && index % 2 === 1 ? `${indent}# ${note()}\n` : '';
      const equals = way % 5 === 2 ? '=' : ' = ';
      return `${before}${indent}${dotted}${equals}${Array.isArray(value) ? list(value, indent) : inline(value)}${endOf(index)}`;
    });
  const table = (path: readonly string[], members: Members): string => {
    const isApart = ([, value]: [string, Value]) => isMembers(value) && serverWay === 'tables';
    const own = Object.fromEntries(Object.entries(members).filter((one) => !isApart(one)));
    const inner = Object.entries(members).filter(isApart) as [string, Members][];
    const names = path.map((name) => key(name, way)).join(way % 5 === 1 ? ' . ' : '.');
    const head = `${has('block before a member') ? `# ${note()}\n` : ''}[${names}]${endOf(path.length)}`;
    const separator = way % 6 === 5 ? '\n' : '\n\n';
    const parts = [[head, ...entries(own)].join('\n'), ...inner.map(([name, one]) => table([...path, name], one))];
    return parts.join(separator);
  };
  const server = (name: string, path: string, value: Members): string => {
    if (serverWay === 'inline') return `${key(name, way)} = ${SERVER_START}${inline(value)}${SERVER_END}${endOf(0)}`;
    return SERVER_START + table([path, name], value) + SERVER_END;
  };
  const tables = Object.entries(root).flatMap(([name, value]) => {
    if (value !== servers) return isMembers(value) ? [table([name], value)] : [];
    const old = has('server that is commented out') ? ['# [mcp_servers.old]\n# command = "old"'] : [];
    const all = Object.entries(servers).map(([one, members]) => server(one, name, members as Members));
    if (serverWay === 'inline' || all.length === 0) return [[`[${name}]`, ...old, ...all].join('\n')];
    return [...old, ...all];
  });
  const scalars = Object.fromEntries(Object.entries(root).filter(([, value]) => !isMembers(value)));
  const all = [
    ...(has('first line') ? ['#:schema https://example.com/config-schema.json'] : []),
    ...(Object.keys(scalars).length > 0 ? [entries(scalars).join('\n')] : []),
    ...tables,
    ...(has('last line') ? [`# ${note()}`] : []),
  ];
  return finished(all.join('\n\n'), layout);
}

function key(name: string, way: number): string {
  if (way % 7 !== 6 && /^[\w-]+$/.test(name)) return name;
  return way % 2 === 0 && !name.includes("'") ? `'${name}'` : JSON.stringify(name);
}

function spelled(value: Value, way: number): string {
  if (typeof value !== 'string') return String(value);
  const canBeLiteral = !value.includes("'");
  if (way % 5 === 3 && canBeLiteral) return `'${value}'`;
  if (way % 5 === 4 && canBeLiteral)
    return value.length % 2 === 0 ? `'''${value}'''` : `"""${JSON.stringify(value).slice(1, -1)}"""`;
  return JSON.stringify(value);
}
