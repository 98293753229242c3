import type { Library } from '../../library/library.ts';
import type { Skill, TriggerQuery } from '../../skill/skill.ts';
import { toNfkc } from '../../text/nfkc.ts';
import type { Check, CheckContext, CheckFinding } from '../check.ts';

const TOP = 3;
/** Neighbours whose committed queries are tried: only those near the candidate's words can lose a place to it. */
const NEIGHBOURS = 40;

/**
 * Whether the candidate is found by the queries that it is meant for and by no others, judged by its text alone, and
 * whether its neighbours keep their places. Queries that were recorded anywhere are withheld, so that nothing passes
 * by citing itself.
 */
export const retrieval: Check = {
  id: 'retrieval',
  kind: 'static',
  knowsOld: true,
  run(context) {
    const { skill, library } = context;
    if (skill === undefined)
      return Promise.resolve({ findings: [], notRun: ['the skill could not be read'] });
    const triggers = triggersOf(context, skill);
    const after = library.with([{ ...skill, triggers: [] }], retired(context));
    return Promise.resolve({
      findings: [
        ...ownQueries(skill, triggers, after),
        ...claimedQueries(skill, context),
        ...stolenQueries(skill, context, after),
      ],
      ...(triggers.length === 0
        ? { notRun: ['no trigger queries: only the places of its neighbours were looked at'] }
        : {}),
    });
  },
};

/** The skill's own queries and those of the draft: a draft that brings easy ones is held to the old ones all the same. */
function triggersOf({ draft }: CheckContext, skill: Skill): readonly TriggerQuery[] {
  const known = new Set(skill.triggers.map(({ query }) => query));
  const fresh = (draft?.triggers ?? []).filter(({ query }) => !known.has(query));
  return [
    ...skill.triggers,
    ...fresh.map(({ query, should_trigger }) => ({ query, shouldTrigger: should_trigger })),
  ];
}

function retired({ draft }: CheckContext): string[] {
  return draft?.decision === 'merge' && draft.retires !== undefined ? [draft.retires] : [];
}

/**
 * A query that is meant for others refuses if it brings the skill up before every other, as surely as the weakest of
 * those that are meant for it. Found behind another or more weakly it only warns: in a small library whatever shares a
 * word comes among the first.
 */
function ownQueries(skill: Skill, triggers: readonly TriggerQuery[], after: Library): CheckFinding[] {
  const found = triggers.map(({ query, shouldTrigger }) => {
    const top = after.search(query, { limit: TOP, withoutRecorded: true });
    const hit = top.find(({ name }) => name === skill.name);
    return { query, shouldTrigger, top, score: hit?.score, why: hit?.why.slice(0, 3).join('; ') ?? '' };
  });
  const meant = found.filter(({ shouldTrigger }) => shouldTrigger);
  const weakest = Math.min(...meant.map(({ score = 0 }) => score));
  const weakestQuery = meant.find(({ score = 0 }) => score === weakest)?.query;
  return found.flatMap(({ query, shouldTrigger, top, score, why }): CheckFinding[] => {
    if (shouldTrigger)
      return score !== undefined
        ? []
        : [
            {
              rule: 'not-found',
              severity: 'refuse',
              message: `${shown(query)} should bring the skill up and does not (found: ${top.map(({ name }) => name).join(', ') || 'nothing'}): put the words of such a request into the description`,
              subject: query,
            },
          ];
    if (score === undefined) return [];
    const [first] = top;
    const isFirst = first?.name === skill.name;
    const counts = isFirst && (meant.length === 0 || score >= weakest);
    const how = isFirst
      ? ', though more weakly than the queries that are meant for it'
      : ` behind ${first?.name}`;
    return [
      {
        rule: 'found-wrongly',
        severity: counts ? 'refuse' : 'warn',
        message: counts
          ? `${shown(query)} should not bring the skill up and does before every other (by ${why})${weakestQuery === undefined ? '' : `, as surely as ${shown(weakestQuery)}, which is meant for it`}: take such words out of the description, the headings and the rules${weakestQuery === undefined ? '' : ', or put more of the words of the latter into the description'}`
          : `${shown(query)} should not bring the skill up and does (by ${why})${how}`,
        subject: query,
      },
    ];
  });
}

/** Queries of the draft that stand with another skill: recorded with both, they would bring up either. */
function claimedQueries(skill: Skill, { library, draft, baseSkill }: CheckContext): CheckFinding[] {
  const known = new Set((baseSkill?.triggers ?? []).map(({ query }) => query));
  const fresh = (draft?.triggers ?? []).filter(
    ({ query, should_trigger }) => should_trigger && !known.has(query),
  );
  return fresh.flatMap(({ query }) => {
    const owner = library.skills.find(
      ({ name, triggers }) =>
        name !== skill.name &&
        name !== draft?.retires &&
        triggers.some((each) => each.shouldTrigger && plain(each.query) === plain(query)),
    );
    return owner === undefined
      ? []
      : [
          {
            rule: 'claims-query',
            severity: 'refuse' as const,
            message: `${shown(query)} is a query of "${owner.name}" already: leave it to that one`,
            subject: query,
          },
        ];
  });
}

function plain(query: string): string {
  return toNfkc(query)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ');
}

/** Committed queries of other skills whose right answer was first, or in the first places, and is not with the candidate. */
function stolenQueries(skill: Skill, { library, baseSkill }: CheckContext, after: Library): CheckFinding[] {
  return neighbourNames(skill, library)
    .filter((name) => name !== skill.name && name !== baseSkill?.name)
    .flatMap((name) => library.find(name) ?? [])
    .flatMap((other) =>
      other.triggers
        .filter(({ shouldTrigger }) => shouldTrigger)
        .flatMap(({ query }): CheckFinding[] => {
          const fault = theftOf(query, other.name, skill.name, library, after);
          if (fault === undefined) return [];
          const message = `${shown(query)} is a query of "${other.name}", which ${fault.how}: narrow the description`;
          // A rule more in the body of a skill that is asked for the same as before may turn a tie round.
          const isTie =
            fault.rule === 'takes-first-place' &&
            skill.name === baseSkill?.name &&
            skill.description === baseSkill.description;
          return [{ rule: fault.rule, severity: isTie ? 'warn' : 'refuse', message, subject: query }];
        }),
    );
}

function theftOf(
  query: string,
  owner: string,
  candidate: string,
  before: Library,
  after: Library,
): { rule: string; how: string } | undefined {
  const places = [true, false].map((own) => [topOf(before, query, own), topOf(after, query, own)] as const);
  if (places.some(([was, is]) => was.includes(owner) && !is.includes(owner)))
    return { rule: 'steals-query', how: `falls out of the first ${TOP} because of this skill` };
  return places.some(([was, is]) => was[0] === owner && is[0] === candidate)
    ? { rule: 'takes-first-place', how: 'comes behind this skill now' }
    : undefined;
}

function neighbourNames(skill: Skill, library: Library): string[] {
  const queries = [skill.description, skill.name, skill.headings.join(' ')].filter(
    (query) => query.trim() !== '',
  );
  return [
    ...new Set(
      queries.flatMap((query) =>
        library.search(query, { limit: NEIGHBOURS, all: true }).map((hit) => hit.name),
      ),
    ),
  ];
}

function shown(query: string): string {
  return JSON.stringify(query.slice(0, 140));
}

function topOf(library: Library, query: string, withoutRecorded: boolean): string[] {
  return library.search(query, { limit: TOP, withoutRecorded }).map((hit) => hit.name);
}
