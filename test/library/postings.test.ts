import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detailAt, mergePostings, placesOf, postingsOf } from '../../src/library/search/postings.ts';
import { createSkillPreparer, FIELDS } from '../../src/library/search/skill-document.ts';
import { createVocabulary } from '../../src/library/words/vocabulary.ts';

const words = fc
  .array(fc.constantFrom('tea', 'bread', 'soup', 'onion', 'rye', '茶道'), { maxLength: 8 })
  .map((some) => some.join(' '));
const texts = fc.array(words, { minLength: FIELDS.length, maxLength: FIELDS.length });

test('postings say of each document and term what the document does, those that are for it first', () => {
  fc.assert(
    fc.property(fc.array(texts), (skills) => {
      const documents = skills.map(createSkillPreparer(createVocabulary()));
      const postings = postingsOf(documents);
      const said = documents.map(() => new Map<number, unknown>());
      for (let term = 0; term + 1 < postings.starts.length; term += 1) {
        const [start, others, end] = placesOf(postings, term);
        const meant = [...postings.owners.slice(start, others)];
        const held = [...postings.owners.slice(others, end)];
        for (const owners of [meant, held]) expect(owners).toEqual(owners.toSorted((a, b) => a - b));
        for (let place = start; place < end; place += 1) {
          const purpose = place < others ? postings.purpose[(postings.meant[term] ?? 0) + place - start] : 0;
          said[postings.owners[place] ?? 0]?.set(term, [
            purpose,
            detailAt(postings, place),
            postings.fields[place],
          ]);
        }
      }
      expect(postings.size).toBe(documents.length);
      for (const [number, { terms, purpose, detail, fields }] of documents.entries())
        expect(said[number]).toEqual(
          new Map(
            Array.from(terms, (term, at) => [
              term,
              [purpose[at] ?? 0, (detail[at] ?? 0) / 2 ** 13, fields[at]],
            ]),
          ),
        );
    }),
  );
});

test('postings put together are those of all documents at once', () => {
  fc.assert(
    fc.property(fc.array(texts), fc.array(texts), (first, second) => {
      const prepare = createSkillPreparer(createVocabulary());
      const [left, right] = [first.map(prepare), second.map(prepare)];
      const parts = [
        { postings: postingsOf(left), numbers: Int32Array.from(left, (_, number) => number) },
        { postings: postingsOf(right), numbers: Int32Array.from(right, (_, number) => left.length + number) },
      ];
      expect(mergePostings(parts, left.length + right.length)).toEqual(postingsOf([...left, ...right]));
    }),
  );
});

test('what a document says does not depend on what was prepared before it', () => {
  fc.assert(
    fc.property(fc.array(texts), texts, (before, skill) => {
      const vocabulary = createVocabulary();
      const prepare = createSkillPreparer(vocabulary);
      for (const each of before) prepare(each);
      expect(prepare(skill)).toEqual(createSkillPreparer(vocabulary)(skill));
    }),
  );
});
