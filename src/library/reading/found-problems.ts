import type { Problem } from '../../errors.ts';

/** What is wrong with one entry of a folder. */
export interface FoundProblem {
  /** Absolute, as it was come upon. */
  readonly path: string;
  /** Where it lies without links: the same whichever way leads there. */
  readonly place: string;
  readonly problem: Problem;
}

/** Of what nobody can look at, and which might be a skill. */
const UNSEEN = new Set(['unreadable', 'name-not-utf8']);

/** What one search below `root`, which lies at `place`, finds wrong. */
export function collectProblems(root: string, place: string) {
  const problems: FoundProblem[] = [];
  const passedOver: FoundProblem[] = [];
  const refused: FoundProblem[] = [];
  const met = new Set<string>();
  const report = (path: string, at: string, rule: string, message: string) => {
    const found: FoundProblem = { path, place: at, problem: { rule, severity: 'warning', message } };
    problems.push(found);
    if (UNSEEN.has(rule)) passedOver.push(found);
  };
  return {
    /** In the order in which it was reported. */
    problems,
    /** Of the problems, those of entries that nobody can look at. */
    passedOver,
    refused,
    report,
    refuse(path: string, at: string, rule: string, message: string): void {
      refused.push({ path, place: at, problem: { rule, severity: 'error', message } });
    },
    /** Says once of each limit that it was met. */
    limit(which: string, message: string): void {
      if (!met.has(which)) report(root, place, which === 'loose' ? 'loose-file' : 'discovery-limit', message);
      met.add(which);
    },
  };
}

/** Keeps what each of several searches that overlap found wrong once. */
export function createToldOnce(): (found: readonly FoundProblem[]) => FoundProblem[] {
  const told = new Set<string>();
  const keyOf = ({ place, problem }: FoundProblem) => `${problem.rule}\0${place}`;
  return (found) => {
    const fresh = found.filter((each) => !told.has(keyOf(each)));
    for (const each of found) told.add(keyOf(each));
    return fresh;
  };
}
