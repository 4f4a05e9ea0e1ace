import { finished, type Layout, notes, SERVER_END, SERVER_START } from './layouts.ts';
import { isMembers, type Members, type Value } from './server-parts.ts';

/** Writes a configuration as YAML. */
export function writeYaml(root: Members, servers: Members, layout: Layout): { text: string; outside: string[] } {
  const { way, hasListsOnLines } = layout;
  const step = layout.indent?.[0]?.replace('\t', '   ') ?? '  ';
  const note = notes();
  const has = (place: Layout['comments'][number]) => layout.comments.includes(place);
  const endOf = (index: number) => (has('end of a line') && index % 2 === 0 ? ` # ${note()}` : '');

  const flow = (value: Value): string => {
    if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
    if (!isMembers(value)) return spelled(value, way);
    return `{ ${Object.entries(value)
      .map(([name, one]) => `${spelled(name, way)}: ${flow(one)}`)
      .join(', ')} }`;
  };
  /** Returns a value after its key: on the same line, or on lines below. */
  const after = (value: Value, pad: string, index: number, name = ''): string => {
    if (name === 'x-env') return ` &env ${flow(value)}${endOf(index)}`;
    if (name === 'env' && JSON.stringify(value) === JSON.stringify(root['x-env'])) return ` *env${endOf(index)}`;
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    if (isEmpty) return ` ${Array.isArray(value) ? '[]' : '{}'}${endOf(index)}`;
    if (isMembers(value)) return `${endOf(index)}\n${block(value, pad + step)}`;
    if (!Array.isArray(value)) return ` ${spelled(value, way)}${endOf(index)}`;
    if (!hasListsOnLines) return ` ${flow(value)}${endOf(index)}`;
    const dash = way % 3 === 0 ? pad : pad + step;
    const items = value.map((one, at) => {
      const comment = has('in a list') && at % 2 === 0 ? `${dash}# ${note()}\n` : '';
      return `\n${comment}${dash}- ${flow(one)}${endOf(at + 1)}`;
    });
    return endOf(index) + items.join('');
  };
  const block = (members: Members, pad: string): string =>
    Object.entries(members)
      .map(([name, value], index) => {
        const before = has('line before a member') && index % 2 === 1 ? `${pad}# ${note()}\n` : '';
        return `${before}${pad}${spelled(name, way)}:${members === servers ? server(value, pad) : after(value, pad, index, name)}`;
      })
      .join('\n');
  const server = (value: Value, pad: string): string => {
    if (layout.indent === undefined) return ` ${SERVER_START}${flow(value)}${SERVER_END}${endOf(0)}`;
    const comment = has('before a value') ? `\n${pad + step}# ${note()}` : '';
    return `${comment}\n${pad + step}${SERVER_START}${block(value as Members, pad + step).trimStart()}${SERVER_END}`;
  };
  const all = [
    ...(has('first line') ? [`# ${note()}`] : []),
    ...(way % 4 === 2 ? ['---'] : []),
    block(root, ''),
    ...(has('last line') ? [`\n# ${note()}`] : []),
  ];
  return finished(all.join('\n'), layout);
}

/** Words that YAML reads as text without quotes, also between brackets. */
const PLAIN = /^[\w./@][\w./@+-]*$/;

function spelled(value: Value, way: number): string {
  if (typeof value !== 'string') return String(value);
  const isPlain = PLAIN.test(value) && Number.isNaN(Number(value)) && !/^(?:true|false|null|@.*)$/.test(value);
  if (isPlain && way % 3 !== 1) return value;
  return way % 2 === 0 ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}
