import { wordsIn } from '../words/scan-words.ts';
import { stem } from '../words/stem.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { plainWord } from '../words/tokenize.ts';
import { type KnownTopic, type KnownTopics, LONGEST_PHRASE } from './known-topics.ts';

/** The topics that a description speaks of, each with the one word that it has for it, if it is one. */
export type SpokenTopics = ReadonlyMap<KnownTopic, string | undefined>;

/** Characters of a description that are looked at, and topics that are taken from it. */
const LONGEST_DESCRIPTION = 4000;
const MOST_TOPICS = 40;
/** What a skill says it is not for, to the end of the clause, with whom it sends to in its place. */
const NEGATED =
  /\b(?:(?:(?:do|is) not|don['’]t|isn['’]t|not|never)\s+(?:(?:to be )?(?:use|used|trigger|invoke|meant|intended)\s+)?(?:this (?:skill )?|it )?(?:for|when)|instead of)\b(?:(?!\b(?:but|unless)\b)[^.;!?\n(—–])*(?:[(—–]\s*use [^.;!?\n)]*)?/gi;

/** Finds the topics of a library that a description speaks of: almost no skill says itself what it is about. */
export function createSpokenTopics({ topics, starts }: KnownTopics): (description: string) => SpokenTopics {
  // Descriptions repeat their words: each is stemmed once.
  const stems = new Map<string, string>();
  const stemOf = (word: string) => {
    const known = stems.get(word) ?? stem(word);
    stems.set(word, known);
    return known;
  };
  return (description) => {
    // A stop word in its place, so that the words on either side are not read as one topic.
    const meant = description.slice(0, LONGEST_DESCRIPTION).replace(NEGATED, ' not ');
    const written = wordsIn(meant).filter((word) => plainWord(word) !== undefined);
    const words = written.map((word) => word.toLowerCase());
    const found = new Map<KnownTopic, string | undefined>();
    for (const [start, first] of words.entries()) {
      const longest = starts.has(stemOf(first)) ? LONGEST_PHRASE : 1;
      let key = '';
      for (const word of words.slice(start, start + longest)) {
        const isFirst = key === '';
        key += stemOf(word);
        const topic = isFirst && STOP_WORDS.has(word) ? undefined : topics.get(key);
        if (topic !== undefined && !found.has(topic) && found.size < MOST_TOPICS)
          found.set(topic, isFirst ? written[start] : undefined);
      }
    }
    return found;
  };
}
