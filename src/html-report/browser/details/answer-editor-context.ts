import { type Context, createContext, type VNode } from 'preact';
import type { Item } from '../../data/report-data-types.ts';

/** Answer of the open call, and its position among the items. */
export interface ShownAnswer {
  answer: Item;
  index: number;
  language: 'JSON' | 'YAML';
}

/** Component that edits an answer. Undefined on pages without a server, which cannot save. */
export const AnswerForm: Context<((props: ShownAnswer) => VNode | null) | undefined> = createContext<
  ((props: ShownAnswer) => VNode | null) | undefined
>(undefined);
