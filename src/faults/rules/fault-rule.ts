import type { Fault } from '../fault.ts';
import type { When } from './when.ts';

/** One fault, and when it happens. */
export interface Rule {
  fault: Fault;
  when?: When;
  /** How often it fires at most. Absent: on every match. */
  times?: number;
  /** Probability of firing on a match, from 0 to 1. Absent: 1. */
  probability?: number;
}
