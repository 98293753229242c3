import type { Library } from '../../library/library.ts';
import { createSimilarity } from '../../library/likeness/similarity.ts';
import type { Skill } from '../../skill/skill.ts';
import { toNfkc } from '../../text/nfkc.ts';
import { absorbedNames } from '../absorbed.ts';
import type { Check, CheckContext, CheckFinding } from '../check.ts';
import { isReservedName } from '../place-faults.ts';
import { saidAgainFindings } from '../said-again.ts';

/** From here on two skills say the same; measured on real libraries, see the test. */
export const NEAR_DUPLICATE = 0.7;
const ALIKE = 0.5;
/** Skills that are compared word by word: the best that a search with the candidate's own words finds. */
const COMPARED = 30;

/** Whether another skill, or the skill itself, says the same already, or another is called almost the same. */
export const novelty: Check = {
  id: 'novelty',
  kind: 'static',
  knowsOld: true,
  run(context) {
    const { skill } = context;
    if (skill === undefined)
      return Promise.resolve({ findings: [], notRun: ['the skill could not be read'] });
    return Promise.resolve({
      findings: [
        ...duplicates(skill, context),
        ...namesakes(skill, context),
        ...takenAliases(skill, context),
        ...saidAgainFindings(context),
      ],
    });
  },
};

/** The skills of a library stay the same while many candidates are held against them. */
const similarities = new WeakMap<Library, ReturnType<typeof createSimilarity>>();

function similarityIn(library: Library): ReturnType<typeof createSimilarity> {
  const known = similarities.get(library) ?? createSimilarity();
  similarities.set(library, known);
  return known;
}

function duplicates(skill: Skill, context: CheckContext): CheckFinding[] {
  const similarity = similarityIn(context.library);
  return neighbours(skill, context)
    .map((other) => ({ other, score: similarity(skill, other) }))
    .filter(({ score }) => score >= ALIKE)
    .sort((left, right) => right.score - left.score)
    .map(({ other, score }) => {
      const near = score >= NEAR_DUPLICATE;
      return {
        rule: near ? 'near-duplicate' : 'similar-skill',
        severity: near ? 'refuse' : 'note',
        message: `${near ? 'says the same as' : 'is like'} "${other.name}" (similarity ${score.toFixed(2)})${near ? `: patch "${other.name}" or merge the two` : ''}`,
        subject: other.name,
      };
    });
}

/** The skills that a search with the candidate's words brings up, without itself and what a merge retires. */
function neighbours(skill: Skill, { library, name, draft, baseSkill }: CheckContext): Skill[] {
  const own = new Set([name, skill.name, baseSkill?.name, draft?.retires]);
  const queries = [skill.description, `${skill.name} ${skill.headings.join(' ')}`, skill.body.slice(0, 600)];
  const names = queries.flatMap((query) =>
    library.search(query, { limit: COMPARED, all: true }).map((hit) => hit.name),
  );
  return [...new Set(names)].filter((found) => !own.has(found)).flatMap((found) => library.find(found) ?? []);
}

function namesakes(skill: Skill, { library, name, baseSkill, draft }: CheckContext): CheckFinding[] {
  if (baseSkill !== undefined) return [];
  const wanted = reduced(name);
  return library.skills
    .filter((other) => other.name !== name && other.name !== draft?.retires)
    .filter((other) =>
      [other.name, other.label ?? '', ...other.aliases].some(
        (known) => known === name || reduced(known) === wanted,
      ),
    )
    .map((other) => ({
      rule: 'name-collision',
      severity: 'refuse',
      message: `"${skill.name}" is too near to the name or an alias of "${other.name}": patch that one, or take another name`,
      subject: other.name,
    }));
}

/** Aliases by which another skill is known already, or that are no name of a skill; those of a skill to retire are free. */
function takenAliases(skill: Skill, { library, name, draft, generated }: CheckContext): CheckFinding[] {
  const own = new Set([name, skill.name, draft?.retires]);
  const others = library.skills.filter((other) => !own.has(other.name));
  // What the one that goes is called goes over, whatever it is like.
  const absorbed = absorbedNames(library, draft?.retires);
  const fresh = skill.aliases.filter((alias) => !absorbed.includes(alias));
  return fresh.flatMap((alias): CheckFinding[] => {
    const wanted = reduced(alias);
    const other = others.find((each) =>
      [each.name, each.label ?? '', ...each.aliases].some(
        (known) => known === alias || (wanted !== '' && reduced(known) === wanted),
      ),
    );
    const fault = (rule: string, message: string): CheckFinding[] => [
      { rule, severity: 'refuse', message, file: 'SKILL.md', subject: alias },
    ];
    if (other !== undefined)
      return fault('alias-taken', `the alias "${alias}" is a name of "${other.name}": leave it out`);
    return generated && isReservedName(alias)
      ? fault('name-reserved', `the alias "${alias}" is a command or a device: leave it out`)
      : [];
  });
}

/** What is left of a name without case, hyphens and a plural. */
function reduced(name: string): string {
  return toNfkc(name)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word))
    .join('');
}
