import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

interface Operation {
  requestBody?: unknown;
  responses: Record<string, unknown>;
}

const file = join(import.meta.dirname, '..', '..', '..', 'schema', 'control-1.yaml');
export const description = parse(readFileSync(file, 'utf8')) as { paths: Record<string, Record<string, Operation>> };

const ID = 'https://control.test/';
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(description, ID);

/** Follows a reference inside of the description. */
function resolved(pointer: string): { value: unknown; pointer: string } {
  const value = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, step) => {
      const { $ref } = at as { $ref?: string };
      const inside = $ref === undefined ? at : resolved($ref.slice(1)).value;
      return (inside as Record<string, unknown>)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
    }, description);
  const { $ref } = (value ?? {}) as { $ref?: string };
  return $ref === undefined ? { value, pointer } : resolved($ref.slice(1));
}

function validatorAt(pointer: string): ValidateFunction {
  const place = resolved(pointer).pointer;
  return ajv.getSchema(`${ID}#${encodeURI(place)}`) ?? ajv.compile({ $ref: `${ID}#${encodeURI(place)}` });
}

const step = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1');

/** Which operations have answered with 200, as `GET /health`. */
export const answered = new Set<string>();

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the description says what it is, and is held against it.
  body: any;
}

/** Asks the control API as a program of another language would, and holds what it says against its description. */
export async function ask(url: string, request: string, body?: unknown): Promise<Answer> {
  const [method = '', target = ''] = request.split(' ');
  const sent =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url + target, { method, ...sent });
  const [path = ''] = target.split('?');
  const operation = description.paths[path]?.[method.toLowerCase()];
  const answer = await described(response, operation && `/paths/${step(path)}/${method.toLowerCase()}`);
  if (answer.status !== 200) return answer;
  answered.add(`${method} ${path}`);
  if (operation?.requestBody) {
    const isSendable = validatorAt(
      `/paths/${step(path)}/${method.toLowerCase()}/requestBody/content/application~1json/schema`,
    );
    if (!isSendable(body))
      throw new Error(`${request} takes a body that is not described: ${ajv.errorsText(isSendable.errors)}`);
  } else if (body !== undefined && operation) throw new Error(`${request} takes a body, and none is described`);
  return answer;
}

async function described(response: Response, operation: string | undefined): Promise<Answer> {
  const { status, headers } = response;
  const type = (headers.get('content-type') ?? '').split(';')[0]!;
  const text = await response.text();
  const body = type === 'application/json' ? JSON.parse(text) : text;
  // What is not in the description is refused as every operation describes it.
  const responses = `${operation ?? '/paths/~1health/get'}/responses`;
  const own = resolved(`${responses}/${status}`).value === undefined ? 'default' : status;
  const content = resolved(`${responses}/${own}`).pointer;
  const isDescribed = validatorAt(`${content}/content/${step(type)}/schema`);
  if (!isDescribed(body))
    throw new Error(`${status} ${text} is not as described: ${ajv.errorsText(isDescribed.errors)}`);
  return { status, headers, body };
}
