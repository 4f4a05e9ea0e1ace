import { type Find, secretOf } from './find.ts';
import { looksMade } from './plausible.ts';

// The user is bounded, and neither part holds what ends the authority of a URL.
const USER_INFO = /:\/\/([^\s/?#"'`<>@:[\]{}\\]{0,128}):([^\s/?#"'`<>\\]{1,512}?)@(?=[\w[\].%-])/dg;
const LONE_TOKEN = /https?:\/\/([^\s/?#"'`<>@:[\]{}\\]{12,512})@(?=[\w[\].%-])/dg;

/** Passwords and tokens before the host of a URL or connection string: `postgres://user:password@host`. */
export function urlCredentials(text: string): Find[] {
  if (!text.includes('@') || !text.includes('://')) return [];
  const passwords = [...text.matchAll(USER_INFO)]
    .filter(([, , password = '']) => !/^(?:\d{1,5}$|\$|%s|\*+$|<|\{)/.test(password))
    .map(({ indices }) => ({ name: 'url-password', start: indices![2]![0], end: indices![2]![1] }));
  const tokens = [...text.matchAll(LONE_TOKEN)]
    .filter(([, token = '']) => looksMade(token))
    .map((match) => ({ name: 'url-token', ...secretOf(match) }));
  return [...passwords, ...tokens];
}
