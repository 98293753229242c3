import type { Problem } from '../errors.ts';
import type { JsonSchema } from '../text/json-schema.ts';

/** One tool of a callable skill, from `tools.yaml` or a `params` map in the front matter. */
export interface SkillToolSpec {
  readonly name: string;
  readonly description: string;
  /** What runs: a script, relative to the skill's folder, or a fixed sequence of tools. */
  readonly run:
    | { readonly kind: 'script'; readonly script: string }
    | { readonly kind: 'chain'; readonly steps: readonly ChainStep[] };
  readonly parameters: JsonSchema;
  readonly returns?: JsonSchema;
  /** Seconds; 30 unless given, at most 120. */
  readonly timeoutSeconds: number;
  /** `skill/tool` names that the script may call. */
  readonly calls: readonly string[];
}

export interface ChainStep {
  /** `skill/tool`, or `tool` of the same skill. */
  readonly tool: string;
  /** May hold `{{input.x}}` and `{{steps.1.data.y}}`. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** One case of `tests.yaml`. `expect` maps a dotted path of the tool's answer to the value wanted there. */
export interface SkillTestCase {
  readonly name: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly expect: Readonly<Record<string, unknown>>;
}

/** One entry of `evals/triggers.json`. */
export interface TriggerQuery {
  readonly query: string;
  readonly shouldTrigger: boolean;
}

/**
 * One skill as read from its folder, fields gathered from wherever people put them (DESIGN 3). Pure data:
 * every path absolute, lists deduplicated in their order, texts with LF line ends.
 */
export interface Skill {
  /** The identifier: NFKC, lower case, hyphens for runs of anything else. Never used to build a path. */
  readonly name: string;
  /** The name as declared, when it differs from `name`. */
  readonly label?: string;
  /** Absolute folder and absolute path of its `SKILL.md`. */
  readonly dir: string;
  readonly path: string;
  readonly description: string;
  readonly version?: string;
  readonly author?: string;
  readonly tags: readonly string[];
  /** `keywords` and `triggers` of the front matter: weaker than tags. */
  readonly weakTags: readonly string[];
  readonly relatedSkills: readonly string[];
  readonly whenToUse?: string;
  readonly whenNotToUse?: string;
  readonly aliases: readonly string[];
  readonly allowedTools: readonly string[];
  /** `disable-model-invocation: true`: the user may load it, the model is not offered it. */
  readonly userOnly: boolean;
  /** Markdown after the front matter, verbatim but for line ends. */
  readonly body: string;
  readonly headings: readonly string[];
  /** Only name and description could be read: the text is usable, scripts and tools do not run. */
  readonly salvaged: boolean;
  /** sha256 (hex) of the bytes of `SKILL.md`. */
  readonly contentHash: string;
  readonly tools: readonly SkillToolSpec[];
  readonly tests: readonly SkillTestCase[];
  readonly triggers: readonly TriggerQuery[];
  readonly problems: readonly Problem[];
  /** Whether it passes the Agent Skills specification. */
  readonly strict: boolean;
}

/** What reading one `SKILL.md` comes to: found = loaded + refused, always. */
export type SkillReading =
  | { readonly kind: 'loaded'; readonly skill: Skill }
  | { readonly kind: 'refused'; readonly path: string; readonly problems: readonly Problem[] };
