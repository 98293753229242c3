/** A class of tasks with what is to be learned of it, made up for the measurement. */
export interface Topic {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The rules of a new skill. */
  readonly rules: readonly string[];
  /** Rules that later sessions add, one each. */
  readonly more: readonly string[];
  /** Requests that want it, then one that does not. */
  readonly asks: readonly [string, string, string];
}

const topic = (
  name: string,
  title: string,
  description: string,
  asks: Topic['asks'],
  rules: readonly string[],
  more: readonly string[],
): Topic => ({ name, title, description, asks, rules, more });

/** The first are there from the start, the others are learned. */
export const TOPICS: readonly Topic[] = [
  topic(
    'invoice-parsing',
    'Reading invoices',
    'Reads totals and tax lines from supplier invoices in PDF. Use when invoice amounts are extracted or compared. Keep net and gross apart.',
    [
      'extract the net total from this supplier invoice',
      'compare tax lines of two invoices',
      'write a reminder letter to a debtor',
    ],
    [
      'Keep net, tax and gross amounts in separate columns.',
      'Take the currency from the invoice head, never from the amount.',
      'Treat a missing tax line as unknown rather than zero.',
    ],
    [
      'Join amounts that a page break splits before adding them.',
      'Read credit notes with a negative sign on every line.',
      'Keep the supplier number beside each total.',
    ],
  ),
  topic(
    'terraform-plans',
    'Terraform plans',
    'Reviews Terraform plans before they are applied to infrastructure. Use when a plan destroys or replaces resources. Name every replaced resource first.',
    [
      'is this terraform plan safe to apply',
      'why does the plan replace my database resource',
      'draw a diagram of our network',
    ],
    [
      'List resources that are destroyed or replaced before anything else.',
      'Ask for a state backup when a database is replaced.',
      'Pin provider versions in the required_providers block.',
    ],
    [
      'Show moved blocks as renames and not as replacements.',
      'Treat changed tags alone as harmless.',
      'Group the resources of a plan by module.',
    ],
  ),
  topic(
    'podcast-notes',
    'Podcast show notes',
    'Writes show notes and chapter marks for podcast episodes from a transcript. Use when an episode is published. Give each chapter a time mark.',
    [
      'write show notes for this podcast episode',
      'make chapter marks from the episode transcript',
      'mix the audio of two microphones',
    ],
    [
      'Begin every chapter mark with its time in hours and minutes.',
      'Name guests with their role at first mention.',
      'Leave sponsor messages out of the chapters.',
    ],
    [
      'Put links in the order in which they are mentioned.',
      'Keep an episode summary under sixty words.',
      'Mark explicit language in the episode head.',
    ],
  ),
  topic(
    'kubernetes-probes',
    'Kubernetes probes',
    'Sets liveness and readiness probes of Kubernetes deployments. Use when pods restart in a loop or receive traffic too early. Give slow starters a startup probe.',
    [
      'my pods restart in a loop after deployment',
      'configure a readiness probe for this container',
      'compare prices of cloud providers',
    ],
    [
      'Give containers that start slowly a startup probe of their own.',
      'Point the readiness probe at a path that checks dependencies.',
      'Never let the liveness probe depend on the database.',
    ],
    [
      'Set the probe timeout above the slowest healthy answer.',
      'Raise the failure threshold before the period.',
      'Read the events of the pod before changing a probe.',
    ],
  ),
  topic(
    'recipe-scaling',
    'Scaling recipes',
    'Scales cooking recipes to another number of servings and converts kitchen measures. Use when ingredients are doubled, halved or converted. Scale salt and yeast less than linearly.',
    [
      'double this cake recipe for twelve servings',
      'convert cups of flour to grams',
      'plan a menu for a birthday',
    ],
    [
      'Scale salt, yeast and spices less than linearly.',
      'Convert flour by weight and liquids by volume.',
      'Round egg counts up and take liquid away instead.',
    ],
    [
      'Keep baking temperatures and lengthen the time when a tin is larger.',
      'State both the old and the new tin size.',
      'Give oven settings in Celsius and Fahrenheit.',
    ],
  ),
  topic(
    'meeting-minutes',
    'Minutes of meetings',
    'Writes minutes from meeting recordings with decisions and owners. Use when a meeting is summarised. Name an owner and a deadline for each action.',
    [
      'summarise this meeting recording into minutes',
      'list the action items with owners',
      'find a free slot in three calendars',
    ],
    [
      'Put decisions before discussion.',
      'Name one owner and a deadline for each action item.',
      'Quote a dissent in the words of whoever voiced it.',
    ],
    [
      'List who was absent beside who took part.',
      'Carry open action items over from the minutes before.',
      'Keep remarks about persons out of the minutes.',
    ],
  ),
  topic(
    'regex-migration',
    'Moving regular expressions',
    'Moves regular expressions from PCRE to RE2 engines. Use when lookaheads or backreferences are rejected by Go or RE2. Replace lookaheads with a second match.',
    [
      'go rejects my regex with a lookahead',
      'rewrite this PCRE pattern for RE2',
      'learn the basics of Go channels',
    ],
    [
      'Replace a lookahead by a second match on the rest of the text.',
      'Turn backreferences into a comparison of two groups.',
      'Anchor both ends where the old engine matched whole lines.',
    ],
    [
      'Test each pattern against inputs that must fail.',
      'Write possessive quantifiers as plain ones.',
      'Name the groups of a pattern with more than three.',
    ],
  ),
  topic(
    'subtitle-timing',
    'Timing subtitles',
    'Shifts and splits subtitles in SRT files so that they fit speech. Use when subtitles drift or lines are too long. Keep a line under forty-two characters.',
    [
      'my subtitles drift behind the speech',
      'split long subtitle lines in this srt',
      'translate a film title',
    ],
    [
      'Keep a subtitle line under forty-two characters.',
      'Leave at least two frames between subtitles.',
      'Correct drift by a factor instead of an offset when it grows.',
    ],
    [
      'Break lines at clauses and never inside a name.',
      'Show a subtitle for one second at the least.',
      'Italicise voices that are off screen.',
    ],
  ),
  topic(
    'sqlite-locking',
    'Locked SQLite databases',
    'Cures locking errors of SQLite databases with many writers. Use when a database is locked or writers time out. Turn on write-ahead logging first.',
    [
      'sqlite says the database is locked',
      'several writers time out on one sqlite file',
      'choose a columnar warehouse',
    ],
    [
      'Turn on write-ahead logging before anything else.',
      'Begin write transactions with BEGIN IMMEDIATE.',
      'Set a busy timeout on every connection.',
    ],
    [
      'Close read cursors before a checkpoint.',
      'Keep the database file off network shares.',
      'Run a checkpoint after large imports.',
    ],
  ),
  topic(
    'changelog-writing',
    'Writing changelogs',
    'Writes changelog entries for releases in the words of users. Use when a version is released and its changes are listed. Put breaking changes first.',
    [
      'write the changelog of this release',
      'list breaking changes for version three',
      'publish a package to the registry',
    ],
    [
      'Put breaking changes first and say how to migrate.',
      'Describe an entry by what a user notices.',
      'Leave refactorings without visible effect out.',
    ],
    [
      'Thank outside contributors by their handle.',
      'Link each entry to its pull request.',
      'Group entries under added, changed, fixed and removed.',
    ],
  ),
  topic(
    'geojson-cleaning',
    'Cleaning GeoJSON',
    'Repairs GeoJSON polygons before they go onto a map. Use when polygons are invalid, flipped or cross themselves. Write longitude before latitude.',
    [
      'my geojson polygon shows up in the ocean',
      'repair polygons that cross themselves',
      'print a hiking map on paper',
    ],
    [
      'Write longitude before latitude in every position.',
      'Close each ring with its first position.',
      'Wind outer rings counterclockwise.',
    ],
    [
      'Cut polygons that cross the antimeridian in two.',
      'Round coordinates to six decimals.',
      'Drop duplicate neighbouring positions of a ring.',
    ],
  ),
  topic(
    'email-templates',
    'Templates of e-mail',
    'Builds HTML templates of newsletters that render in Outlook. Use when a newsletter breaks in a mail client. Lay out with tables.',
    [
      'the newsletter breaks in outlook',
      'build an html mail template with two columns',
      'sort my inbox by sender',
    ],
    [
      'Lay columns out with nested tables.',
      'Put styles inline on each element.',
      'Give every image a width attribute and alternative text.',
    ],
    [
      'Keep a template below one hundred kilobytes.',
      'Write a plain text part beside the html part.',
      'Set background colours with the bgcolor attribute.',
    ],
  ),
  topic(
    'python-packaging',
    'Packaging Python',
    'Packages Python libraries with pyproject and builds wheels. Use when a wheel misses files or an import fails after installing. Inspect the wheel before uploading.',
    ['the wheel misses my data files', 'build a python package with pyproject', 'speed up a pandas join'],
    [
      'Inspect the content of the wheel before uploading.',
      'Put the package below a src folder.',
      'Declare data files in the build backend settings.',
    ],
    [
      'Test the wheel in a fresh virtual environment.',
      'Keep version numbers in one place.',
      'State the lowest supported Python in requires-python.',
    ],
  ),
  topic(
    'accessibility-audit',
    'Accessibility audits',
    'Audits web pages for screen readers and keyboards. Use when contrast, focus order or labels are checked. Test with the keyboard alone first.',
    [
      'check this page for screen readers',
      'focus order is wrong in our dialog',
      'choose a font for a poster',
    ],
    [
      'Walk through the page with the keyboard alone first.',
      'Give each form field a visible label.',
      'Trap focus inside an open dialog and return it on close.',
    ],
    [
      'Announce errors in a live region.',
      'Check contrast in hover and disabled states.',
      'Keep heading levels without gaps.',
    ],
  ),
  topic(
    'rust-borrowing',
    'Borrow errors in Rust',
    'Resolves borrow checker errors in Rust code. Use when a value is borrowed twice or moved. Shorten the borrow before cloning.',
    [
      'the borrow checker complains about a second mutable borrow',
      'value used after move in rust',
      'install the rust toolchain',
    ],
    [
      'Shorten the scope of the first borrow before cloning.',
      'Split a struct into fields that are borrowed apart.',
      'Take ownership out of an option with take.',
    ],
    [
      'Return indices instead of references from searches.',
      'Prefer an entry call over get and insert.',
      'Move closures only what they need.',
    ],
  ),
  topic(
    'survey-analysis',
    'Analysing surveys',
    'Analyses survey answers on Likert scales with missing replies. Use when questionnaire results are summarised. Report medians and response counts.',
    [
      'summarise these likert survey answers',
      'how do I treat missing questionnaire replies',
      'design a logo for our club',
    ],
    [
      'Report medians and counts instead of means on Likert scales.',
      'Show the response rate beside each question.',
      'Keep missing replies apart from neutral ones.',
    ],
    [
      'Reverse negatively worded items before adding a scale.',
      'Merge scale ends only when both are sparse.',
      'Weight groups by their known shares.',
    ],
  ),
  topic(
    'nginx-proxying',
    'Proxying with nginx',
    'Configures nginx as a reverse proxy for websockets and uploads. Use when nginx answers 502 or 413 or drops websockets. Pass the upgrade header.',
    ['nginx answers 502 behind my app', 'websockets drop through the nginx proxy', 'buy a domain name'],
    [
      'Pass the upgrade and connection headers for websockets.',
      'Raise client_max_body_size where uploads answer 413.',
      'Match the trailing slashes of location and proxy_pass.',
    ],
    [
      'Turn buffering off for server sent events.',
      'Test the configuration before reloading.',
      'Set the real address from the trusted proxy only.',
    ],
  ),
  topic(
    'translation-review',
    'Reviewing translations',
    'Reviews translations of user interfaces against a glossary. Use when translated strings are checked for placeholders and length. Keep placeholders untouched.',
    [
      'check the german interface strings',
      'placeholders are missing in the translated strings',
      'dub a video in French',
    ],
    [
      'Keep placeholders and their order valid in every string.',
      'Follow the glossary even where a synonym reads better.',
      'Flag strings that grow by more than a third.',
    ],
    [
      'Check plural forms for every language that has more than two.',
      'Leave product names untranslated.',
      'Use the formal address unless the glossary differs.',
    ],
  ),
];
