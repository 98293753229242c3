/** A process that reviews one session in a workspace and says what came of it: DIR SESSION URL. */

import { createOpenAiModel } from '../../src/model/openai-model.ts';
import { reviewTranscript } from '../../src/review/review.ts';
import { commaSession, openLab } from './review-lab.ts';

const [at = '', session = '', url = ''] = process.argv.slice(2);
const lab = await openLab({ at });
const reviewer = createOpenAiModel({ baseUrl: url, apiKey: 'none', model: 'scripted', retries: 0 });
const outcome = await reviewTranscript({ ...lab.parts, reviewer }, commaSession(session));
process.stdout.write(JSON.stringify({ outcome: outcome.outcome, reasons: outcome.reasons }));
