/** The skills that the writers of the measurement share. */
export const SKILLS = ['csv', 'pdf', 'sql'] as const;
