/** What a word or phrase is good for, in whatever language it is said. */
export const WORD_CLASSES = [
  // Acts.
  'send', // to make something leave: send, upload, paste, attach
  'send-last', // the same in languages whose verb comes last
  'fetch', // to get something from elsewhere: download, open a page
  'run', // to execute
  'obey', // to follow an order
  'write', // to add something to a place
  'erase', // to delete
  'erase-last', // the same in languages that may put the verb last
  'replace', // to put one thing in the place of another
  'disable', // to switch off, go round, skip
  'ignore', // to set aside, forget
  'decode',
  'tell', // to let somebody know
  'notice', // to get to know
  'approve', // a good verdict, or the giving of one
  'grant', // to allow, a permission
  'answer-as-told', // to answer, mark, rate: what a judge does
  // Things and people.
  'secret',
  'talk', // what was said: conversation, prompts
  'user', // the person who is served, or who looks at the result
  'judge', // whoever or whatever reviews a skill
  'authority', // system, administrator, developer, vendor
  'message', // a message from, here speaks
  'rule', // instructions, rules, prompt
  'earlier', // previous, your, of the system: whose rules they are
  'this', // this file, these rules
  'it', // it, this step
  'everything', // all, every, whatever
  'dictate', // what it says, the instructions there
  'report', // summary, log, answer: where a person would read of it
  'shell-history',
  'log',
  'property', // what a person would miss: home folder, backups
  'money', // invoice, account, wallet
  'mirror', // registry, index, mirror
  'miner',
  'mine', // to mine coins, verb and coin
  'mode', // administrator mode
  'carrier', // query string, subdomain: what data rides on
  'guard', // sandbox, firewall, approval
  'open-place', // where others read: issue, gist
  'picture',
  'script',
  'startup', // what starts by itself: cron, launch agent
  'memory', // what every later session is told
  'shell',
  'encoded',
  'public-key',
  // Circumstances.
  'not',
  'unasked', // without confirmation
  'unseen', // without a look at it
  'unreviewed', // needs no review
  'secretly',
  'untold', // the whole phrase that somebody is not to be told
  'outrank', // takes precedence over
  'outranks-last', // the same where the verb comes last
  'void', // does not apply, is outdated
  'unbound', // without restrictions
  'lie', // say that nothing happened
  'always', // in every session, permanently
  'each-answer',
  'as-root',
  'executable',
  'afterwards',
  'already', // was approved already
  'evaluate', // to review, to grade
  'only',
  'your',
  'object', // says stop, disagrees
  'go-on', // all the same
  'not-last', // not, where it follows the verb
  'addressed', // note to, dear
  'you', // you are, act as
  'login', // header, authenticate: whom a secret is for
  'remember-to', // do not forget to: no negation of what follows
  'narrow', // one rule, one port: not the whole guard
  'consent', // after the user has agreed
  // What turns a line into teaching.
  'attacker',
  'watch-for',
] as const;

export type WordClass = (typeof WORD_CLASSES)[number];

/**
 * The words of one language by class, separated by `|`. A word ends where it ends, `*` stands for any ending, a blank
 * for a blank or a hyphen; Chinese and Japanese are found amid other characters. Classes that a language has no word
 * for are left out.
 */
export type Words = Readonly<Partial<Record<WordClass, string>>>;
