import { edgeNumbers, edgeStrings, edgeStructures } from './edge-values.ts';
import {
  additionalProperty,
  missingRequired,
  notInEnum,
  outOfRange,
  type Proposal,
  patternMismatch,
  wrongLength,
  wrongType,
} from './forbidden-arguments.ts';
import type { ToolInputs } from './tool-argument-model.ts';

/** A kind of arguments. */
export interface InputKind {
  name: string;
  /** One sentence about the arguments, for the user. */
  doc: string;
  /** The schema forbids the arguments. Otherwise it allows them. */
  isForbidden: boolean;
  /**
   * A result for forbidden arguments does not fail the sweep: servers on an official SDK give one. It is listed.
   */
  isOftenAccepted?: true;
  propose(tool: ToolInputs): Proposal;
}

const ALL: readonly InputKind[] = [
  {
    name: 'missing-required',
    doc: 'A required property is missing, or all arguments are.',
    isForbidden: true,
    propose: missingRequired,
  },
  { name: 'wrong-type', doc: 'A value has another type.', isForbidden: true, propose: wrongType },
  {
    name: 'not-in-enum',
    doc: 'A value is not in its enum, or is not its const.',
    isForbidden: true,
    propose: notInEnum,
  },
  {
    name: 'out-of-range',
    doc: 'A number is too small, too large, or no multiple.',
    isForbidden: true,
    propose: outOfRange,
  },
  {
    name: 'wrong-length',
    doc: 'A text or list is too short or too long, or a list has an item twice.',
    isForbidden: true,
    propose: wrongLength,
  },
  {
    name: 'pattern-mismatch',
    doc: 'A text does not match its pattern.',
    isForbidden: true,
    propose: patternMismatch,
  },
  {
    name: 'additional-property',
    doc: 'A property is there that additionalProperties forbids.',
    isForbidden: true,
    // SDK 1 lists every Zod 3 object with "additionalProperties": false, and removes what is additional.
    isOftenAccepted: true,
    propose: additionalProperty,
  },
  {
    name: 'edge-strings',
    doc: 'A text is empty, long, of another script, or has control characters.',
    isForbidden: false,
    propose: edgeStrings,
  },
  {
    name: 'edge-numbers',
    doc: 'A number is 0, -0, a bound of the schema, or a bound of integers or doubles.',
    isForbidden: false,
    propose: edgeNumbers,
  },
  {
    name: 'edge-structures',
    doc: 'A list or object is empty, long or deep; an optional property is left out or given; each choice of an enum.',
    isForbidden: false,
    propose: edgeStructures,
  },
];

/** Every kind of arguments, by name. */
export const INPUT_KINDS: ReadonlyMap<string, InputKind> = new Map(ALL.map((one) => [one.name, one]));
