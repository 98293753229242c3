/** A tag that nobody declared, and what it was taken from. */
export interface DerivedTag {
  readonly tag: string;
  readonly from: 'keywords' | 'folder' | 'name' | 'description';
}

/** What a skill is about. The two lists have no tag in common, in whatever spelling. */
export interface SkillTags {
  /** As its front matter has them under `tags`. */
  readonly declared: readonly string[];
  readonly derived: readonly DerivedTag[];
}
