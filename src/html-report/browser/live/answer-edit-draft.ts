import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { EditReply, EditRequest } from '../../data/live-page-protocol.ts';
import type { Item } from '../../data/report-data-types.ts';
import type { ShownAnswer } from '../details/answer-editor-context.ts';
import { type EditableAnswerText, editableText, type Language } from './editable-answer-text.ts';

/** Sends a request to check or save an edit. */
export type Post = (request: EditRequest) => Promise<EditReply>;

/** Unsaved edit of an answer. Survives changes of the file and of the selected item. */
export class AnswerEditDraft {
  /** Position of the answer among the items. An edit of another answer may move its line, but not its position. */
  readonly index: number;
  readonly language: Language;
  readonly name: EditableAnswerText['name'];
  /** Version of the file when the edit began. */
  readonly version: string;
  readonly text: Signal<string>;
  /** Reply to the latest check. Undefined: the text is unchanged. */
  readonly reply: Signal<EditReply | undefined> = signal(undefined);
  readonly isSaving: Signal<boolean> = signal(false);
  readonly #item: Item;
  readonly #post: Post;
  #isChecking = false;
  #isDue = false;

  constructor(
    { answer, index, language }: ShownAnswer,
    { name, json }: EditableAnswerText,
    version: string,
    post: Post,
  ) {
    this.#item = answer;
    this.index = index;
    this.language = language;
    this.name = name;
    this.version = version;
    this.text = signal(editableText(json, language));
    this.#post = post;
  }

  /** Takes a new text and checks it. While a check runs, only the latest text waits for the next one. */
  async change(text: string): Promise<void> {
    this.text.value = text;
    this.#isDue = true;
    if (this.#isChecking) return;
    this.#isChecking = true;
    while (this.#isDue) {
      this.#isDue = false;
      this.reply.value = await this.#send(false);
    }
    this.#isChecking = false;
  }

  /**
   * Saves the edit. Returns a confirmation, including protocol violations of the saved answer. Undefined: the edit was
   * not saved.
   */
  async save(): Promise<string | undefined> {
    this.isSaving.value = true;
    const reply = await this.#send(true);
    this.isSaving.value = false;
    if ('saved' in reply)
      return reply.warnings ? `Saved, but it breaks the protocol: ${reply.warnings.join('; ')}.` : 'Saved.';
    this.reply.value = reply;
    return undefined;
  }

  #send(save: boolean): Promise<EditReply> {
    const { line, id, content } = this.#item;
    const part = Number(/\.(\d+)$/.exec(id)?.[1] ?? 1) - 1;
    const { version } = this;
    return this.#post({ line, part, before: content!.text, text: this.text.value, version, save });
  }
}

/** Edit draft and file state. */
export interface DraftState {
  draft: Signal<AnswerEditDraft | undefined>;
  /** Version of the open file. */
  version: ReadonlySignal<string>;
  /** Reason why edits of the open file cannot be saved now. Undefined: saving is possible. */
  refusal: ReadonlySignal<string | undefined>;
  post: Post;
}
