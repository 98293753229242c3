import type { Command } from 'commander';
import { KnackError, type Problem } from '../../errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { SkillTestOutcome } from '../../scripts/skill-tests.ts';
import type { Skill, SkillTestCase } from '../../skill/skill.ts';
import { testsText } from '../../skill/tests-text.ts';
import type { Act } from '../command.ts';
import { withLookingRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command
    .argument('[names...]', 'skills (default: every skill that has tests)')
    .option('--unsandboxed', 'run scripts without bubblewrap')
    .option('--propose', 'print cases made from the tools’ schemas, as a tests.yaml, instead of running')
    .action(
      act(async (context, names: string[], options: { unsandboxed?: boolean; propose?: boolean }) =>
        withLookingRuntime(context, async (runtime) => {
          const library = await runtime.library();
          if (options.propose) {
            const proposals = await propose(names, runtime);
            context.output.result(proposals, describeProposals);
            return 0;
          }
          const skills =
            names.length > 0
              ? await Promise.all(names.map((name) => runtime.skill(name)))
              : library.skills.filter((skill) => skill.tests.length > 0 || brokenFile(skill) !== undefined);
          const untested = skills.find(
            (skill) => skill.tests.length === 0 && brokenFile(skill) === undefined,
          );
          if (untested)
            throw new KnackError(
              'not-found',
              `${untested.name} has no tests.yaml; --propose prints cases to start from`,
            );
          const results: (SkillTestOutcome & { skill: string })[] = [];
          for (const skill of skills) {
            const broken = brokenFile(skill);
            if (broken !== undefined)
              results.push({
                skill: skill.name,
                name: broken.rule,
                tool: '',
                passed: false,
                detail: broken.message,
              });
            const outcomes = await runtime.testSkill(skill, {
              unsandboxed: options.unsandboxed === true,
              signal: context.signal,
            });
            for (const outcome of outcomes) results.push({ skill: skill.name, ...outcome });
          }
          const failed = results.filter((result) => !result.passed).length;
          context.output.result({ results, passed: results.length - failed, failed }, () =>
            [
              ...results.map((result) => {
                const mark = result.passed
                  ? context.output.style('green', 'passed')
                  : context.output.style('red', 'failed');
                return `${mark}  ${result.skill}  ${result.name}${result.detail ? `\n        ${result.detail}` : ''}`;
              }),
              `${results.length - failed} passed, ${failed} failed`,
            ].join('\n'),
          );
          return failed === 0 ? 0 : 1;
        }),
      ),
    );
}

interface Proposal {
  readonly skill: string;
  readonly cases: readonly SkillTestCase[];
}

/** Cases for the skills named, or for every one that has tools. Throws `not-found` for one without. */
async function propose(names: readonly string[], runtime: Runtime): Promise<Proposal[]> {
  const { skills } = await runtime.library();
  const wanted =
    names.length > 0
      ? await Promise.all(names.map((name) => runtime.skill(name)))
      : skills.filter(({ tools }) => tools.length > 0);
  const bare = wanted.find(({ tools }) => tools.length === 0);
  if (bare !== undefined)
    throw new KnackError('not-found', `${bare.name} has no tools, so there is nothing to test`);
  return Promise.all(
    wanted.map(async (skill) => ({ skill: skill.name, cases: await runtime.proposeTests(skill) })),
  );
}

/** As `tests.yaml` has it. Several are documents, each with a comment that names its skill. */
function describeProposals(proposals: readonly Proposal[]): string {
  const texts = proposals.map(({ cases }) => testsText(cases).trimEnd());
  if (proposals.length === 1) return texts.join('');
  return proposals.map(({ skill }, index) => `---\n# ${skill}/tests.yaml\n${texts[index]}`).join('\n');
}

/** What is wrong with a file of tools or tests: a case that cannot be read must not pass for one that is not there. */
function brokenFile(skill: Skill): Problem | undefined {
  return skill.problems.find(
    ({ rule, severity }) => severity === 'error' && /^(?:tests|tools)-file$/.test(rule),
  );
}
