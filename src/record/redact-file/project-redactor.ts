import { createRedactor, type Redactor, type RedactorOptions } from '../../redact/redactor.ts';
import { projectRules } from './redaction-rules-file.ts';

/**
 * Creates a redactor with the rules of the project, and those of `options` after them.
 * @throws McpRecordError as `loadRedactionRules` and `createRedactor`
 */
export function projectRedactor(options: RedactorOptions): Redactor {
  const { rules = [], allow = [] } = options;
  const project = projectRules(process.env);
  return createRedactor({ ...options, rules: [...project.rules, ...rules], allow: [...project.allow, ...allow] });
}

/**
 * Creates the redactor of what a failed test prints: by the environment, and the rules of the project. Rules that cannot
 * be read must not hide the failure: then by the environment alone.
 */
export function failureRedactor(): Redactor {
  const { env } = process;
  try {
    return projectRedactor({ env });
  } catch {
    return createRedactor({ env });
  }
}
