import fc from 'fast-check';

// A mutant is found by the first case that fails, and each is tried with the same cases. What finds it is found early.
fc.configureGlobal({ endOnFailure: true, seed: 1 });
process.env.FUZZ ??= '0.2';
