import type { Check } from '../check.ts';

/**
 * Whether an agent does better with the skill than without. Needs a session that carries a checkable outcome and a
 * way to run an agent on it again, which nobody hands in yet, so it says so and vetoes nothing.
 */
export const replay: Check = {
  id: 'replay',
  kind: 'costly',
  knowsOld: false,
  run({ evidence = [] }) {
    const checkable = evidence.some(
      ({ session }) => session.outcome === 'success' || session.outcome === 'failure',
    );
    return Promise.resolve({
      findings: [],
      notRun: [
        checkable
          ? 'the session carries an outcome, but there is no way to run its task again'
          : 'no session with a checkable outcome',
      ],
    });
  },
};
