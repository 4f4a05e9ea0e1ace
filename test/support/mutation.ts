import fc from 'fast-check';

// A mutant is found by the first case that fails, and each is tried with the same cases.
fc.configureGlobal({ endOnFailure: true, seed: 1 });
