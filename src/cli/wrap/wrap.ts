import { join } from 'node:path';
import { portableName } from '../../cassette/write/cassette-names.ts';
import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { type ConfiguredServer, serversIn } from './find-servers-in-configuration.ts';
import { type Edit, edited } from './text-edits.ts';
import {
  hasCommand,
  hasOtherArgs,
  hasWords,
  isWrapped,
  unwrapServerCommand,
  wrapServerCommand,
} from './wrap-server-command.ts';
import { badHeaderName, unwrapUrl, urlOf, wrapUrl } from './wrap-url.ts';

export interface WrapOptions {
  /** Name of the configuration, for messages. */
  file: string;
  /** Words that start mcp-record. */
  program: readonly string[];
  /**
   * Folder for cassettes, with a subfolder for each server. The path is absolute, because the working directory of
   * clients is unknown.
   */
  folder: string;
  /** Options of the recorder with the rules of redaction, each in one word. */
  redaction?: readonly string[];
  /** Names of the servers to change. Empty: all. */
  names: readonly string[];
}

/** Result for one server. */
export interface Wrapped {
  name: string;
  /** Description of the change, or the reason for leaving the server unchanged. */
  what: string;
  /** Whether the server's text was changed. */
  isChanged: boolean;
}

export interface WrapResult {
  text: string;
  servers: Wrapped[];
}

/**
 * Adds a recorder to the servers of a client's configuration. All other text keeps its bytes.
 * @throws McpRecordError WRAP_NOT_A_CONFIGURATION, WRAP_NO_SUCH_SERVER
 */
export function wrap(text: string, { file, program, folder, names, redaction = [] }: WrapOptions): WrapResult {
  const servers = serversIn(text, file);
  const folders = foldersOf(servers.map(({ name }) => name));
  return changeEach(text, chosen(servers, names, file), (server) => {
    const { name, node, syntax } = server;
    if (isWrapped(node) && !hasWords(node, redaction))
      return 'is recorded already, without these rules: it is left as it is. Run wrap --undo first';
    if (isWrapped(node)) return 'is recorded already';
    if (syntax.obstacle !== undefined) return `${syntax.obstacle}: it is left as it is`;
    const recorder = [...program, 'record', '-o', `${join(folder, folders.get(name)!)}/`, ...redaction];
    if (hasCommand(node) && hasOtherArgs(node)) return 'has "args" that are no list: it is left as it is';
    if (hasCommand(node)) return { what: 'is recorded over stdio', edits: wrapServerCommand(text, server, recorder) };
    if (typeof urlOf(node)?.value !== 'string') return 'has neither a "command" nor a "url": it is left as it is';
    const bad = badHeaderName(node);
    if (bad !== undefined) return `has a header whose name is none, ${JSON.stringify(bad)}: it is left as it is`;
    if (syntax.urlObstacle !== undefined) return `${syntax.urlObstacle}: it is left as it is`;
    const url = wrapUrl(text, server, recorder);
    return { what: 'is recorded over HTTP, and to the client it is a server over stdio', edits: url };
  });
}

/**
 * Removes the recorder, and restores the original bytes.
 * @throws McpRecordError WRAP_NOT_A_CONFIGURATION, WRAP_NO_SUCH_SERVER
 */
export function unwrap(text: string, { file, names }: Pick<WrapOptions, 'file' | 'names'>): WrapResult {
  return changeEach(text, chosen(serversIn(text, file), names, file), ({ node }) => {
    if (!isWrapped(node)) return 'was not recorded';
    const edits = unwrapUrl(node) ?? unwrapServerCommand(text, node);
    return edits ? { what: 'is no longer recorded', edits } : 'has a recorder that was put there by hand: it is left';
  });
}

type Change = string | { what: string; edits: Edit[] };

function changeEach(
  text: string,
  servers: readonly ConfiguredServer[],
  change: (server: ConfiguredServer) => Change,
): WrapResult {
  const changes = servers.map((server) => ({ name: server.name, change: change(server) }));
  const edits = changes.flatMap(({ change: one }) => (typeof one === 'string' ? [] : one.edits));
  return {
    text: edited(text, edits),
    servers: changes.map(({ name, change: one }) =>
      typeof one === 'string' ? { name, what: one, isChanged: false } : { name, what: one.what, isChanged: true },
    ),
  };
}

function chosen(
  servers: readonly ConfiguredServer[],
  names: readonly string[],
  file: string,
): readonly ConfiguredServer[] {
  const known = [...new Set(servers.map(({ name }) => name))];
  for (const name of names) {
    if (known.includes(name)) continue;
    const meant = didYouMean(name, known);
    throw new McpRecordError({
      code: 'WRAP_NO_SUCH_SERVER',
      what: `Cannot find the server "${name}" in ${file}`,
      why: known.length === 0 ? 'it names no server' : `it has ${known.join(', ')}`,
      next: meant ? `Did you mean "${meant}"?` : 'Name one of these, or none for all of them.',
    });
  }
  return names.length === 0 ? servers : servers.filter(({ name }) => names.includes(name));
}

/** Returns a folder for each name. One that another name has, in whatever case, gets a number. */
function foldersOf(names: readonly string[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of new Set(names)) {
    const folder = folderName(name);
    let free = folder;
    for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${folder}-${count}`;
    taken.add(free.toLowerCase());
    folders.set(name, free);
  }
  return folders;
}

/** Converts a server's name to a valid folder name. */
function folderName(name: string): string {
  return portableName(name.replaceAll(/[^\w.-]+/g, '-').replace(/^\.+/, '')) || 'server';
}
