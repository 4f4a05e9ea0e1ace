import type { Fault } from '../fault.ts';
import type { When } from './when.ts';

/** Fault with its condition. */
export interface Rule {
  fault: Fault;
  when?: When;
  /** Maximum number of firings. Absent: no limit. */
  times?: number;
  /** Probability of firing on a match, from 0 to 1. Absent: 1. */
  probability?: number;
}
