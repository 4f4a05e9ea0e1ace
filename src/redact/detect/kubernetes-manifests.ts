import type { SecretMatch } from '../replace/secret-match.ts';
import { credentialNamed } from './credential-names.ts';
import { isPlausible } from './plausibility.ts';
import { secretsWithin } from './secrets-in-credential.ts';

/** Name and value on consecutive lines of YAML, perhaps inside a JSON string. */
const LINES =
  /(?<![\w.-])name:[ \t]{0,8}\\{0,4}["']?([A-Za-z_][\w.-]{1,63})\\{0,4}["']?(?:\s|\\{1,4}[rnt]){1,64}value:[ \t]{0,8}\\{0,4}["']?([^\s"'`\\]{4,4096})/dg;

const SECRET_KIND = /^[ \t]*kind:[ \t]*(["']?)secret\1[ \t]*$/im;
const DATA = /^([ \t]*)(?:data|stringData):[ \t]*$/;
const ENTRY = /^([ \t]*)["']?[\w.-]{1,253}["']?:[ \t]*(["']?)([^\s"'|>{}$]{4}[^\s"'|>{}$]*)\2[ \t]*$/d;

/** Finds the values of Kubernetes Secrets in YAML documents. Block values are searched like any text. */
export function kubernetesSecretData(text: string): SecretMatch[] {
  if (!/kind:[ \t]{0,8}["']?secret/i.test(text)) return [];
  const finds: SecretMatch[] = [];
  let start = 0;
  for (const document of text.split(/^(?=---)/m)) {
    if (SECRET_KIND.test(document)) for (const find of dataOf(document, start)) finds.push(find);
    start += document.length;
  }
  return finds;
}

function dataOf(document: string, start: number): SecretMatch[] {
  const finds: SecretMatch[] = [];
  let at = start;
  let inData: number | undefined;
  for (const line of document.split('\n')) {
    const indent = line.search(/\S/);
    if (indent >= 0 && inData !== undefined && indent <= inData) inData = undefined;
    const entry = inData === undefined ? null : ENTRY.exec(line);
    if (entry !== null && holdsText(entry[3]!) && isPlausible(entry[3]!, 'sure'))
      finds.push({ name: 'kubernetes-secret', start: at + entry.indices![3]![0], end: at + entry.indices![3]![1] });
    const [, blanks] = DATA.exec(line) ?? [];
    if (blanks !== undefined) inData = blanks.length;
    at += line.length + 1;
  }
  return finds;
}

const TEXT_LENGTH_MIN = 6;

/** Reports whether a value, which is base64 under `data`, is long enough for a secret. */
function holdsText(value: string): boolean {
  return value.length >= TEXT_LENGTH_MIN && Buffer.from(value, 'base64').length >= TEXT_LENGTH_MIN;
}

/**
 * Finds the values of Kubernetes environment variables with credential names on the line before: `- name: …`, `value:
 * …`.
 */
export function kubernetesEnvValues(text: string): SecretMatch[] {
  if (!text.includes('name:') || !text.includes('value:')) return [];
  return [...text.matchAll(LINES)].flatMap(({ 1: name = '', 2: value = '', indices }) => {
    const certainty = credentialNamed(name);
    if (certainty === undefined || !isPlausible(value, certainty)) return [];
    const [at] = indices![2]!;
    return secretsWithin(name, value, certainty).map(({ start, end }) => ({ name, start: at + start, end: at + end }));
  });
}
