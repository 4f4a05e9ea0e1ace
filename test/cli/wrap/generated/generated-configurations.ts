import { CLIENT_PARTS, serverOf } from './client-parts.ts';
import { layoutOf, pick } from './layouts.ts';
import { type Members, SERVER_PARTS } from './server-parts.ts';
import { writeJson } from './write-json.ts';
import { writeToml } from './write-toml.ts';
import { writeYaml } from './write-yaml.ts';

export interface GeneratedConfiguration {
  client: string;
  index: number;
  file: string;
  text: string;
  /** Its servers, in order. */
  servers: Members;
  /** Returns the values of the whole configuration with these servers. */
  around(servers: Members): Members;
  /** Parts of the text that are of no server, in order. */
  outside: readonly string[];
  /** Names of servers that stay as they are. */
  left: readonly string[];
  /** What is special in it: servers, settings around them, layout. */
  parts: readonly string[];
}

/** Configurations of each client. */
export const COUNT = 35;

export const GENERATED: readonly GeneratedConfiguration[] = Object.keys(CLIENT_PARTS).flatMap((client) =>
  Array.from({ length: COUNT }, (_, index) => generated(client, index)),
);

/** Returns the names of all parts that the configurations of a client must have. */
export function partsOf(client: string): string[] {
  const parts = CLIENT_PARTS[client]!;
  return [
    ...Object.keys(SERVER_PARTS).filter((part) => serverOf(parts, part) !== undefined),
    'no servers',
    ...parts.around.map((_, index) => `around ${index}`),
    ...parts.more.map((_, index) => `more ${index}`),
    ...new Set(Array.from({ length: COUNT }, (_, index) => layoutOf(index).names).flat()),
  ];
}

function generated(client: string, index: number): GeneratedConfiguration {
  const parts = CLIENT_PARTS[client]!;
  const possible = Object.keys(SERVER_PARTS).filter((part) => serverOf(parts, part) !== undefined);
  const count = index === 16 ? 0 : 1 + ((index * 3) % 5);
  const chosen = Array.from({ length: count }, (_, at) => pick(possible, index * 2 + at * 5));
  const names = [...new Set(chosen)];
  const servers: Members = Object.fromEntries(
    names.map((part, at) => {
      const [name, server] = serverOf(parts, part)!;
      return [name, { ...server, ...pick(parts.more, index + at) }];
    }),
  );
  // Each third of the layouts would have settings of its own otherwise.
  const aroundAt = (index + Math.floor(index / 7)) % parts.around.length;
  const around = parts.around[aroundAt]!;
  const { layout, names: layoutNames } = layoutOf(index);
  const write = parts.file.endsWith('.toml') ? writeToml : parts.file.endsWith('.yaml') ? writeYaml : writeJson;
  return {
    client,
    index,
    file: parts.file,
    servers,
    around,
    ...write(around(servers), servers, layout),
    left: names.filter((part) => SERVER_PARTS[part]!.isLeft).map((part) => SERVER_PARTS[part]!.name),
    parts: [
      ...names,
      ...(count === 0 ? ['no servers'] : []),
      `around ${aroundAt}`,
      ...names.map((_, at) => `more ${(index + at) % parts.more.length}`),
      ...layoutNames,
    ],
  };
}
