import { cannotOpen, readCassette } from '../../cassette/read/load-cassette.ts';
import { replaceFile } from '../../cassette/write/atomic-write.ts';
import { type EditedCassetteText, editAnswer } from '../../edit/edit-answer.ts';
import { notEdited } from '../../edit/not-edited.ts';
import type { EditReply, EditRequest, SessionRow } from '../../html-report/data/live-page-protocol.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { locate } from '../../protocol/json-scan.ts';
import { redactCassette } from '../../record/redact-file/redact-cassette.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { fileVersion } from '../cassettes/file-version.ts';
import { shownProblem } from '../verification/shown-problem.ts';
import { answerWarnings } from './answer-warnings.ts';
import { checkEditableFile, checkVersion } from './check-editable-file.ts';
import { differenceLines } from './difference-lines.ts';
import { parseEditedValue } from './parse-edited-value.ts';

export interface AnswerEditorOptions {
  /** Folder that the page shows. */
  folder: string;
  /** Returns the row of a cassette. Undefined: there is no such cassette. */
  row(name: string): SessionRow | undefined;
  fileOf(name: string): string;
  redactor(): Redactor;
  /** Called with the new version of a saved file, before anybody else reads it. */
  saved(name: string, version: string): void;
}

/** Answers requests of the page to check or save an edited answer of a cassette. */
export class AnswerEditor {
  readonly #options: AnswerEditorOptions;

  constructor(options: AnswerEditorOptions) {
    this.#options = options;
  }

  /**
   * Checks or saves an edit. A text that cannot be read is what a check looks for, so it is a problem of the reply.
   * @throws McpRecordError if the edit cannot be saved
   */
  edit(name: string, request: EditRequest): EditReply {
    try {
      const value = parseEditedValue(request.text);
      const difference = differenceLines(valueIn(request.before), value);
      if (!request.save) return { difference };
      const warnings = this.#save(name, request, value);
      return { difference, saved: true, ...(warnings.length > 0 && { warnings }) };
    } catch (error) {
      if (!(error instanceof McpRecordError)) throw cannotOpen(name, error);
      if (error.code !== 'UI_ANSWER_UNREADABLE') throw error;
      const { line = 1, column = 1 } = error.problem.place ?? {};
      return { problem: { ...shownProblem(error), line, column } };
    }
  }

  /** Saves the edit. Returns what the answer breaks of the protocol. */
  #save(name: string, { line, part, before, version }: EditRequest, value: string): string[] {
    const { row, folder, fileOf, redactor, saved } = this.#options;
    const file = fileOf(name);
    const state = row(name)?.state ?? 'removed';
    checkEditableFile({ file, folder, version, state });
    const bytes = Buffer.from(readCassette(file));
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes)) throw notEdited(file, 'it is not UTF-8', 'Save it as UTF-8 first.');
    const edited = editAnswer(text, file, { line, part, before, value });
    checkSecrets(edited, file, redactor());
    const warnings = answerWarnings(edited, file);
    checkVersion(file, version);
    try {
      replaceFile(file, edited.text);
    } catch (error) {
      throw cannotReplace(file, error);
    }
    saved(name, fileVersion(file));
    return warnings;
  }
}

/** Returns the result or error of a message. */
function valueIn(message: string): string {
  const span = locate(message, ['result']) ?? locate(message, ['error']);
  return span ? message.slice(span.start, span.end) : '{}';
}

/** @throws McpRecordError UI_ANSWER_HAS_SECRET if `redact --check` would find a secret in the edited event */
function checkSecrets({ text, lines }: EditedCassetteText, file: string, redactor: Redactor): void {
  const { secrets } = redactCassette(text, file, redactor);
  const secret = secrets.find(({ line }) => line >= lines.first && line <= lines.last);
  if (secret === undefined) return;
  throw new McpRecordError({
    code: 'UI_ANSWER_HAS_SECRET',
    what: `Cannot save ${file}`,
    why: `mcp-record redact --check would find a secret in the answer: ${secret.kind}`,
    next: `Write a placeholder, such as ${secret.placeholder}, in place of the secret.`,
  });
}

function cannotReplace(file: string, cause: unknown): McpRecordError {
  return new McpRecordError({
    code: 'UI_CASSETTE_READ_ONLY',
    what: `Cannot save ${file}`,
    why: `the file cannot be replaced: ${(cause as Error).message}`,
    next: 'Give yourself permission to write to the file and its folder, and save again.',
    cause,
  });
}
