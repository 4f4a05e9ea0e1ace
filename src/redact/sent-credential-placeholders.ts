import { JsonText } from '../protocol/json-text.ts';
import type { Redactor, RedactorOptions } from './redactor.ts';
import { exportableName, type Placeholder, placeholderOf, placeholdersIn } from './replace/placeholders.ts';

/**
 * Credentials that a client sends in headers. Each recorded placeholder that can stand for one, by `credentialKey`, has
 * the placeholders that the redactor of this run has for it.
 */
export type SentCredentials = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the credentials in `headers`, of a redactor that has seen nothing else so far. A recorder names a credential
 * after its header, or after an environment variable with its value, so that both names mean it.
 */
export function sentCredentials(
  redactor: Redactor,
  { env, headers = {} }: Pick<RedactorOptions, 'env' | 'headers'>,
): SentCredentials {
  const sent = new Map<string, Set<string>>();
  const learnt = redactor.learnt().map(({ placeholder }) => placeholder);
  const variables = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  for (const [header, value] of Object.entries(headers)) {
    const inValue = new Set(placeholdersIn(redactor.text(value)).map(({ name, n }) => placeholderOf(name, n)));
    // The password of Basic credentials does not stand in the header as it is.
    const ofHeader = learnt.filter((placeholder) => inValue.has(placeholder) || isNamed(placeholder, header));
    for (const [index, placeholder] of ofHeader.entries()) {
      const secret = redactor.revealed(new JsonText(JSON.stringify(placeholder)), () => true).value;
      const names = variables.filter(([, given]) => given === secret).map(([name]) => ({ name, n: 1 }));
      for (const one of [...placeholdersIn(placeholder), { name: header, n: index + 1 }, ...names]) {
        const key = credentialKey(one);
        sent.set(key, (sent.get(key) ?? new Set()).add(placeholder));
      }
    }
  }
  return sent;
}

/** Returns the key of a placeholder. The names of headers and variables are compared in any case, and `-` is `_`. */
export function credentialKey({ name, n }: Pick<Placeholder, 'name' | 'n'>): string {
  return `${exportableName(name).toUpperCase()}:${n}`;
}

function isNamed(placeholder: string, name: string): boolean {
  return placeholdersIn(placeholder).some((one) => one.name.toLowerCase() === name.toLowerCase());
}
