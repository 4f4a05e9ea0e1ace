import type { Span } from '../../protocol/json-scan.ts';
import { MAY_HOLD, mark, type TrigramTable } from '../fast-prefilter/trigram-scan.ts';
import type { SecretMatch } from '../replace/secret-match.ts';
import { isPlausible, looksGenerated, looksRandom } from './plausibility.ts';

/** Command line whose secret follows a short option such as `-p`, or a user name. */
interface Command {
  name: string;
  /** Part of the command's name, for a cheap first test. */
  part: string;
  command: RegExp;
  /** Expression from a blank to the secret's first character, without its quote. */
  option: RegExp;
}

function command(name: string, part: string, words: string, option: RegExp): Command {
  return {
    name,
    part,
    command: new RegExp(`(?<![\\w-])(?:${words})(?=\\s)`, 'g'),
    option: new RegExp(`(?<=\\s)${option.source}`, 'g'),
  };
}

/** Option of curl for a user, up to the user's name. */
const CURL_USER = String.raw`-(?:u\s{0,4}|-(?:proxy-)?user[\s=]{1,4})\\{0,8}["']?`;

const COMMANDS: readonly Command[] = [
  command('mysql-password', 'mysql', 'mysql(?:-?(?:dump|admin|import|show|check|slap|sh))?', /-p/),
  command('mariadb-password', 'mariadb', 'mariadb(?:-(?:dump|admin|import|show|check))?', /-p/),
  command('ssh-password', 'sshpass', 'sshpass', /-p\s{0,4}/),
  command(
    'registry-password',
    'login',
    '(?:docker|podman|buildah|skopeo|nerdctl|oras|helm\\s+registry|crane\\s+auth|oc|cf|az(?:\\s+acr)?)\\s+login',
    /-p(?:\s{1,4}|=)/,
  ),
  command('redis-password', '-cli', '(?:redis|valkey|keydb)-cli', /-a\s{1,4}/),
  command('mongo-password', 'mongo', 'mongo(?:sh|dump|restore|export|import|stat|top|files)?', /-p\s{0,4}/),
  command('cassandra-password', 'cqlsh', 'cqlsh', /-p\s{0,4}/),
  command('mssql-password', 'sqlcmd', 'sqlcmd', /-P\s{0,4}/),
  command('mssql-password', 'bcp', 'bcp', /-P\s{0,4}/),
  command('ipmi-password', 'ipmitool', 'ipmitool', /-P\s{1,4}/),
  command('zip-password', 'zip', '(?:un)?zip', /-P\s{0,4}/),
  command('zip-password', '7z', '7z[ar]?', /-p/),
  command('ldap-password', 'ldap', 'ldap(?:add|compare|delete|modify|search|whoami)', /-w\s{0,4}/),
  command('enc-password', 'openssl', 'openssl\\s+enc', /-[kK]\s{1,4}/),
  command('smb-password', 'client', '(?:smb|rpc)client', /-U\s{0,4}\\{0,8}["']?[^\s"'%]{1,64}%/),
  command('user-password', 'curl', 'curl', new RegExp(`${CURL_USER}(?:[^\\s"':-][^\\s"':]{0,63})?\\\\{0,8}["']?:`)),
  // A key in place of a user, who has no password: `-u KEY:`.
  command('user-key', 'curl', 'curl', new RegExp(`${CURL_USER}(?=[^\\s"':\\\\]{8,256}:(?:\\\\{0,8}["'])?(?:\\s|$))`)),
];

/** Beginnings of the commands' options, for the prefilter. */
const OPTION_GRAMS = [' -p', ' -a', ' -w', ' -k', ' -u', '-us'];

export function markCommands(marks: TrigramTable): void {
  for (const gram of OPTION_GRAMS) mark(marks, gram, MAY_HOLD.tool);
}

/** Arguments of a command, ending at the next command or at a line break without a backslash. */
const ARGUMENTS = /(?:\\\r?\n|[^\n|;&"']|"[^"\n]{0,512}"|'[^'\n]{0,512}'){0,1024}/y;
const VALUE = /\\{0,8}(?:"((?:[^"\n\\]|\\[^"\n]){1,65536})|'((?:[^'\n\\]|\\[^'\n]){1,65536})|([^\s"'`|;&<>\\]+))/y;

/**
 * Finds passwords in command lines: `mysql -p…`, `sshpass -p …`, `docker login -p …`, `redis-cli -a …`, `curl -uann:…`.
 */
export function knownCommandPasswords(text: string): SecretMatch[] {
  return COMMANDS.flatMap((each) => (text.includes(each.part) ? givenTo(each, text) : []));
}

function givenTo({ name, command, option }: Command, text: string): SecretMatch[] {
  const finds: SecretMatch[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(command)) {
    if (index < end) continue;
    const start = index + word.length;
    ARGUMENTS.lastIndex = start;
    const args = ARGUMENTS.exec(text)?.[0] ?? '';
    end = start + args.length;
    for (const { 0: before, index } of args.matchAll(option)) {
      const value = valueAt(text, start + index + before.length);
      if (value === undefined) continue;
      end = Math.max(end, value.end);
      const secret = name === 'user-key' ? withoutColon(text, value) : value;
      const word = text.slice(secret.start, secret.end);
      if (isPassword(word) && (name !== 'user-key' || looksRandom(word))) finds.push({ name, ...secret });
    }
  }
  return finds;
}

function withoutColon(text: string, { start, end }: Span): Span {
  return { start, end: text[end - 1] === ':' ? end - 1 : end };
}

function valueAt(text: string, at: number): Span | undefined {
  VALUE.lastIndex = at;
  const [, double, single, plain] = VALUE.exec(text) ?? [];
  const value = double ?? single ?? plain;
  return value === undefined ? undefined : { start: VALUE.lastIndex - value.length, end: VALUE.lastIndex };
}

/** Reports whether a value can be a password. Ports and placeholder words are not passwords. */
function isPassword(value: string): boolean {
  if (/^[\d.:]+$/.test(value) || !isPlausible(value, 'sure')) return false;
  return looksGenerated(value) || !/pass|pw|secret|token/i.test(value);
}
