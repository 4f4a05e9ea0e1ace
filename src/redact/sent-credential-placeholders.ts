import { JsonText } from '../protocol/json-text.ts';
import { basicPassword } from './detect/bearer-and-basic.ts';
import type { Redactor, RedactorOptions } from './redactor.ts';
import { exportableName, type Placeholder, placeholderOf, placeholdersIn } from './replace/placeholder-format.ts';

/**
 * Credentials that a client sends in headers, as placeholders. The key (`credentialKey`) is a recorded placeholder of a
 * credential, the value the set of placeholders that this run's redactor uses for the same credential.
 */
export type SentCredentials = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the credentials in `headers`. The redactor must not have seen other data. A recorder names a credential by
 * its header or by an environment variable with the same value, so both names are returned.
 */
export function sentCredentials(
  redactor: Redactor,
  { env, headers = {} }: Pick<RedactorOptions, 'env' | 'headers'>,
): SentCredentials {
  const sent = new Map<string, Set<string>>();
  const variables = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  for (const [header, value] of Object.entries(headers)) {
    // A Basic header contains its password in base64. A variable or a rule may have given the placeholder its name.
    const password = basicPassword(value.slice(value.indexOf(' ') + 1));
    const texts = [value, ...(password === undefined ? [] : [password])].map(redactor.text);
    const inValue = new Set(texts.flatMap(placeholdersIn).map(({ name, n }) => placeholderOf(name, n)));
    const learnt = redactor.learnt().flatMap(({ placeholder }) => placeholder ?? []);
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

/**
 * Returns the lookup key of a placeholder. Ignores case and treats `-` as `_`, because names of headers and variables
 * differ in both.
 */
export function credentialKey({ name, n }: Pick<Placeholder, 'name' | 'n'>): string {
  return `${exportableName(name).toUpperCase()}:${n}`;
}

function isNamed(placeholder: string, name: string): boolean {
  return placeholdersIn(placeholder).some((one) => one.name.toLowerCase() === name.toLowerCase());
}
