import { stem } from './stem.ts';

/** Numerals, pronouns and greetings: not indexed either, but recorded queries may show that they tell skills apart. */
export const FILLER_WORDS: ReadonlySet<string> = new Set(
  `even though hi hello hey thanks thank maybe perhaps quite
  something anything nothing everything someone anyone everyone somebody anybody nobody everybody somewhere anywhere
  another none zero two three four five six seven eight nine ten eleven twelve dozen hundred thousand`.split(
    /\s+/,
  ),
);

/** Words that say nothing about what is wanted; they are not indexed. */
export const STOP_WORDS: ReadonlySet<string> = new Set([
  ...FILLER_WORDS,
  ...`a about above after again all also am an and any are as at be because been before being below between both but by
  can cannot could did do does doing done down during each either else etc ever every few for from further get gets
  getting got had has have having he her here hers him his how however i if in into is it its itself just let lets like
  me more most much must my no nor not now of off on once one only or other our ours out over own per please rather
  really same shall she should so some such than that the their theirs them then there these they this those through to
  too under until up upon us very via was we were what whatever when where whether which while who whom whose why will
  with within without would yes yet you your yours ll ve re don doesn didn isn aren wasn won couldn wouldn shouldn
  there's here's it's i'm that's what's let's
  一个 一些 一下 帮我 我想 我要 请帮 请问 怎么 怎样 如何 什么 可以 这个 那个 我们 我的 你的 是否
  任何 某个 某些 别的 其他 其它 东西 有人 大家 没有 两个 三个 四个 五个 六个 七个 八个 九个 十个
  して くだ ださ さい です ます する した たい どう よう うに
  何か なに にか 何も 誰か だれ れか 別の 他の ほか 二つ 三つ 四つ 五つ ふた たつ`.split(/\s+/),
]);

/**
 * Stems of words that stand in many requests and many skills alike. They are indexed, but alone they are hardly a
 * reason: a small library has too few texts to learn that from.
 */
export const WEAK_STEMS: ReadonlySet<string> = new Set(
  `able add agent allow answer apply around ask available based basic best better bring build call change check
  choose come common complete consider contain correct create current define detail different directly easy ensure
  every example exist explain explore fast feature file find first follow format full general generate give go good
  great guide handle help high idea include information input instead keep kind know large last later learn level
  list long look lot make many mean need new next nice number offer open order output part perform place plan point
  possible process project properly provide put question quick quickly read ready recommend related relevant require
  result return right root run say see select set several show simple single skill small something specific start step
  still suggest support sure system take task tell text thing think tool top try turn type understand use used useful
  user using various want way well without word work write`
    .split(/\s+/)
    .map(stem),
);
